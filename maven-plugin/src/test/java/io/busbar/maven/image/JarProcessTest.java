package io.busbar.maven.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarProcessTest {

    @TempDir
    private Path folder;

    @Test
    void tells_what_a_process_said_that_ends_before_it_has_done_what_is_awaited() throws Exception {
        Path log = folder.resolve("log");
        try (JarProcess process = new JarProcess(new ProcessBuilder("sh", "-c", "echo no port left; exit 1"), log)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> process.await("get ready", () -> false))
                    .withMessageContaining("it does not get ready, and has ended")
                    .withMessageContaining("no port left");
        }
    }

    @Test
    void stops_what_goes_on() throws Exception {
        Path begun = folder.resolve("begun");
        Path stopped = folder.resolve("stopped");
        String script = "trap 'touch " + stopped + "; exit 0' TERM; touch " + begun + "; while :; do sleep 0.05; done";
        try (JarProcess process = new JarProcess(new ProcessBuilder("sh", "-c", script), folder.resolve("log"))) {
            process.await("begin", () -> Files.exists(begun));
            assertThat(stopped).doesNotExist();
        }
        assertThat(stopped).exists();
    }
}

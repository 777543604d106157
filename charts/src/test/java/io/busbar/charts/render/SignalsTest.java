package io.busbar.charts.render;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.busbar.common.ObjectKey;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SignalsTest {

    private static final int TERMINATED = 128 + 15;

    /** What the process does that the test ends. */
    static final class Waits {

        public static void main(String[] args) throws Exception {
            ChartFolder chart = ChartFolder.of(Path.of("src/test/resources/charts/farewell"));
            new ChartRenderer(chart, Map.of())
                    .render(ObjectKey.of("a", "b"), JsonNodeFactory.instance.objectNode(), "v1.33.0", Lookups.NOTHING);
            System.out.println("rendered");
            Thread.sleep(60_000);
        }
    }

    @Test
    void leave_a_process_that_has_rendered_to_end_at_SIGTERM() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Waits.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.lines().filter("rendered"::equals).findFirst()).isPresent();
            process.destroy();
            assertThat(process.waitFor(60, SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(TERMINATED);
        } finally {
            process.destroyForcibly();
        }
    }
}

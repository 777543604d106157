package io.busbar.maven;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorProcessTest {

    @TempDir
    private Path folder;

    /** What is run: writes what it was given, and ends with the code that it was given. */
    static final class Program {

        private Program() {}

        public static void main(String[] args) throws IOException {
            Files.writeString(Path.of("said.txt"), System.getProperty("say") + " " + args[0]);
            System.exit(Integer.parseInt(args[1]));
        }
    }

    @Test
    void runs_in_the_folder_with_its_options_and_arguments_and_tells_how_it_ended()
            throws IOException, InterruptedException {
        OperatorProcess process = new OperatorProcess(
                List.of("-Dsay=hello", "-XX:TieredStopAtLevel=1"),
                List.of(Path.of("target", "test-classes").toAbsolutePath().toString()),
                Program.class.getName(),
                List.of("world and all", "3"),
                folder.toFile());

        assertThat(process.run()).isEqualTo(3);
        assertThat(folder.resolve("said.txt")).hasContent("hello world and all");
    }
}

package io.busbar.sandbox.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.sandbox.testkit.KubernetesSandbox;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReadmeTest {

    private static final Path SOURCE = Path.of("src/test/java/io/busbar/sandbox/readme/ExampleTest.java");
    private static final Path MANIFEST = Path.of("src/test/resources/io/busbar/sandbox/readme/backup.yaml");

    @Test
    void its_example_is_a_test_that_runs() throws Exception {
        String source = Files.readString(SOURCE);
        String shown = source.substring(source.indexOf("@KubernetesSandbox"));
        assertThat(blocks("java")).contains(shown.strip());
        assertThat(blocks("yaml")).contains(Files.readString(MANIFEST).strip());
    }

    @Test
    void it_names_every_attribute_of_the_annotation() throws Exception {
        String readme = readme();
        for (Method attribute : KubernetesSandbox.class.getDeclaredMethods()) {
            assertThat(readme).contains("`" + attribute.getName() + "`");
        }
    }

    /** The blocks of a language, without their fences. */
    private static List<String> blocks(String language) throws IOException {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(readme())
                .results()
                .map(block -> block.group(1).strip())
                .toList();
    }

    private static String readme() throws IOException {
        return Files.readString(Path.of("../README.md"));
    }
}

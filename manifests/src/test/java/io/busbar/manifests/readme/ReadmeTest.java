package io.busbar.manifests.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's example is code that compiles and runs. */
class ReadmeTest {

    private static final Path SOURCE =
            Path.of("src", "test", "java", "io", "busbar", "manifests", "readme", "ShopManifests.java");

    @TempDir
    private Path folder;

    @Test
    void shows_the_example_word_for_word() throws IOException {
        String source = Files.readString(SOURCE);
        String example = source.substring(source.indexOf("    public static void main"), source.lastIndexOf('}'))
                .stripTrailing()
                .lines()
                .map(line -> line.startsWith("    ") ? line.substring(4) : line)
                .collect(Collectors.joining("\n"));

        assertThat(Files.readString(Path.of("README.md"))).contains("```java\n" + example + "\n```");
    }

    @Test
    void has_an_example_that_writes_all_that_it_says() throws IOException {
        ShopManifests.main(folder.toString());

        assertThat(folder.resolve("config/crd/bases/shop.example.com_crates.yaml"))
                .isNotEmptyFile();
        assertThat(folder.resolve("dist/install.yaml")).content().contains("image: registry.example.com/shop:1.0.0");
        assertThat(folder.resolve("chart/Chart.yaml")).content().contains("name: shop");
        assertThat(folder.resolve("bundle/manifests/shop.clusterserviceversion.yaml"))
                .isNotEmptyFile();
    }
}

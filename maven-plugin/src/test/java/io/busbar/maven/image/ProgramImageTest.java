package io.busbar.maven.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an image has, and that it runs, .ci/run shows; here is what makes none. */
class ProgramImageTest {

    @TempDir
    private Path folder;

    private Path work;
    private ProgramImage image;

    @BeforeEach
    void write_a_jar() throws Exception {
        work = folder.resolve("image");
        image = new ProgramImage(Files.createFile(folder.resolve("shop.jar")), work);
    }

    @Test
    void a_name_that_is_none_is_refused_before_anything_is_made() {
        assertThatExceptionOfType(InvalidImageReferenceException.class)
                .isThrownBy(() -> image.write(order("Shop:1:0"), folder.resolve("tar")));
        assertThat(work).doesNotExist();
    }

    @Test
    void a_root_without_a_jdk_is_refused_before_anything_is_made() {
        assertThatIllegalStateException()
                .isThrownBy(() -> image.write(order("shop:1", folder), folder.resolve("tar")))
                .withMessageStartingWith("-Dimage.roots: " + folder + " has 0 JDKs");
        assertThat(work).doesNotExist();
    }

    @Test
    void a_root_of_the_architecture_of_this_machine_is_refused() throws Exception {
        Path jdk = Path.of(System.getProperty("java.home"));
        Path other = folder.resolve("usr/lib/jvm/java");
        Files.createDirectories(other.resolve("jmods"));
        Files.createFile(other.resolve("jmods/java.base.jmod"));
        Files.createDirectories(other.resolve("bin"));
        Files.copy(jdk.resolve("bin/jlink"), other.resolve("bin/jlink"));

        assertThatIllegalStateException()
                .isThrownBy(() -> image.write(order("shop:1", folder), folder.resolve("tar")))
                .withMessageContaining("as is another, or this machine");
    }

    private static ImageOrder order(String name, Path... roots) {
        return new ImageOrder(name, Program.OPERATOR, List.of(), Optional.empty(), Optional.empty(), List.of(roots));
    }
}

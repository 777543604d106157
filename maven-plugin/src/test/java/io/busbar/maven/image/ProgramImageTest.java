package io.busbar.maven.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an image has, and that it runs, .ci/run shows; here is what makes none. */
class ProgramImageTest {

    @TempDir
    private Path folder;

    @Test
    void a_name_that_is_none_is_refused_before_anything_is_made() throws Exception {
        Path jar = Files.createFile(folder.resolve("shop.jar"));
        Path work = folder.resolve("image");

        assertThatExceptionOfType(InvalidImageReferenceException.class)
                .isThrownBy(() -> new ProgramImage(jar, work)
                        .write(
                                "Shop:1:0",
                                folder.resolve("tar"),
                                Optional.empty(),
                                Optional.empty(),
                                Program.OPERATOR,
                                List.of()));
        assertThat(work).doesNotExist();
    }

    @Test
    void a_runtime_links_to_libraries_of_the_system() throws Exception {
        assertThat(NativeLibraries.of(Path.of(System.getProperty("java.home"))))
                .anySatisfy(library -> assertThat(library.toString()).contains("libc.so"));
    }
}

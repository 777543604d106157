package io.busbar.scaffold.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileChangesTest {

    @TempDir
    private Path temporary;

    private final FileChanges changes = new FileChanges();

    @Test
    void makes_folders_and_files_and_leaves_nothing_else() throws IOException {
        changes.write("a.txt", "a\n");
        changes.write("b/c/d.txt", "d\n");

        changes.applyTo(temporary.resolve("new"));

        assertThat(below(temporary)).containsExactly("new", "new/a.txt", "new/b", "new/b/c", "new/b/c/d.txt");
        assertThat(temporary.resolve("new/b/c/d.txt")).hasContent("d");
    }

    @Test
    void writes_over_and_deletes() throws IOException {
        Files.writeString(temporary.resolve("a.txt"), "old\n");
        Files.writeString(temporary.resolve("b.txt"), "old\n");
        changes.write("a.txt", "new\n");
        changes.delete("b.txt");
        changes.delete("c.txt");

        changes.applyTo(temporary);

        assertThat(below(temporary)).containsExactly("a.txt");
        assertThat(temporary.resolve("a.txt")).hasContent("new");
    }

    @Test
    void takes_back_all_when_one_fails() throws IOException {
        Files.writeString(temporary.resolve("a.txt"), "old a\n");
        Files.writeString(temporary.resolve("b.txt"), "old b\n");
        Files.createDirectories(temporary.resolve("x.txt/in/the/way"));
        List<String> before = below(temporary);
        changes.write("a.txt", "new a\n");
        changes.delete("b.txt");
        changes.write("folder/c.txt", "new c\n");
        changes.write("x.txt", "new x\n");

        assertThatThrownBy(() -> changes.applyTo(temporary))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("x.txt is a folder")
                .hasNoSuppressedExceptions();

        assertThat(below(temporary)).isEqualTo(before);
        assertThat(temporary.resolve("a.txt")).hasContent("old a");
        assertThat(temporary.resolve("b.txt")).hasContent("old b");
    }

    @Test
    void takes_back_the_folder_that_it_has_made_when_one_fails() throws IOException {
        changes.write("a", "a\n");
        changes.write("a/b", "needs a to be a folder\n");

        assertThatThrownBy(() -> changes.applyTo(temporary.resolve("new/project")))
                .isInstanceOf(IOException.class);

        assertThat(below(temporary)).isEmpty();
    }

    private static List<String> below(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(path -> !path.equals(folder))
                    .map(path -> folder.relativize(path).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
        }
    }
}

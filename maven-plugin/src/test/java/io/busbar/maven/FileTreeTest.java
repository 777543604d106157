package io.busbar.maven;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTreeTest {

    @TempDir
    private Path temporary;

    @Test
    void copies_what_differs_and_names_what_is_not_its_own() throws IOException {
        Path from = temporary.resolve("from");
        Path to = temporary.resolve("to");
        write(from.resolve("same.txt"), "same");
        write(from.resolve("deep/new.txt"), "new");
        write(from.resolve("changed.txt"), "after");
        write(to.resolve("same.txt"), "same");
        write(to.resolve("changed.txt"), "before");
        write(to.resolve("deep/other.txt"), "other");
        FileTime old = FileTime.fromMillis(0);
        Files.setLastModifiedTime(to.resolve("same.txt"), old);

        assertThat(FileTree.copy(from, to)).containsExactly(Path.of("deep", "other.txt"));

        assertThat(to.resolve("deep/new.txt")).hasContent("new");
        assertThat(to.resolve("changed.txt")).hasContent("after");
        assertThat(to.resolve("deep/other.txt")).hasContent("other");
        assertThat(Files.getLastModifiedTime(to.resolve("same.txt"))).isEqualTo(old);
    }

    @Test
    void deletes_a_folder_with_all_that_is_in_it_and_none_that_is_not_there() throws IOException {
        write(temporary.resolve("a/b/c.txt"), "c");

        FileTree.delete(temporary.resolve("a"));
        FileTree.delete(temporary.resolve("a"));

        assertThat(temporary).isEmptyDirectory();
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}

package io.busbar.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Folders with all that is in them.
 *
 * <p>Any thread; blocks.
 */
final class FileTree {

    private FileTree() {}

    /** Paths of the files below a folder, sorted; none where there is no such folder. */
    static List<Path> files(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return List.of();
        }
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile)
                    .map(folder::relativize)
                    .sorted()
                    .toList();
        }
    }

    /**
     * Copies the files of a folder over those of another, where they differ.
     *
     * @return what of the other is not in the first, sorted
     */
    static List<Path> copy(Path from, Path to) throws IOException {
        List<Path> others = new ArrayList<>(files(to));
        for (Path file : files(from)) {
            Path target = to.resolve(file);
            others.remove(file);
            if (Files.notExists(target) || Files.mismatch(from.resolve(file), target) >= 0) {
                Files.createDirectories(target.resolveSibling(".").normalize());
                Files.write(target, Files.readAllBytes(from.resolve(file)));
            }
        }
        return Collections.unmodifiableList(others);
    }

    static void delete(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> paths = Files.walk(folder)) {
            all = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }
}

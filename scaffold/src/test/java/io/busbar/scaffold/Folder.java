package io.busbar.scaffold;

import io.busbar.scaffold.files.Edition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The folder of a project, as tests read and write it. For one thread. */
record Folder(Path root) {

    Scaffold scaffold() {
        return scaffold(Edition.current());
    }

    Scaffold scaffold(Edition edition) {
        return new Scaffold(root, edition, Invocation.JAR);
    }

    String text(String path) throws IOException {
        return Files.readString(root.resolve(path));
    }

    void write(String path, String text) throws IOException {
        Files.createDirectories(root.resolve(path).getParent());
        Files.writeString(root.resolve(path), text);
    }

    /** Texts by path; of folders that are empty, nothing with a slash at the end. */
    SortedMap<String, String> files() throws IOException {
        SortedMap<String, String> files = new TreeMap<>();
        if (Files.notExists(root)) {
            return files;
        }
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.toList()) {
                String name = root.relativize(path).toString().replace('\\', '/');
                if (Files.isRegularFile(path)) {
                    files.put(name, Files.readString(path));
                } else if (isEmpty(path)) {
                    files.put(name + "/", "");
                }
            }
        }
        return files;
    }

    private static boolean isEmpty(Path folder) {
        try (Stream<Path> inside = Files.list(folder)) {
            return inside.findAny().isEmpty();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}

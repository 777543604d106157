package io.busbar.operator.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The sources of all modules, to be searched. Any thread. */
final class Sources {

    private Sources() {}

    /** Whether a text stands in one of them. */
    static boolean mention(String text) {
        try {
            return Page.modules()
                    .map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .anyMatch(folder -> mentions(folder, text));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static boolean mentions(Path folder, String text) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.toString().contains("/documentation/"))
                    .anyMatch(file -> read(file).contains(text));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}

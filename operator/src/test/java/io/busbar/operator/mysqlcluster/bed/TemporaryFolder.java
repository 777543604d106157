package io.busbar.operator.mysqlcluster.bed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Where servers that this JVM starts keep their files: with a short path, as that of a socket must be. Gone when the
 * JVM ends, at the latest.
 */
final class TemporaryFolder {

    private TemporaryFolder() {}

    static Path make(String prefix) throws IOException {
        Path folder = Files.createTempDirectory(prefix);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                delete(folder);
            } catch (IOException | UncheckedIOException stillWrittenTo) {
                // It lies among temporary files.
            }
        }));
        return folder;
    }

    /** With all that is in it, if it is there. */
    static void delete(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.deleteIfExists(file);
            }
        }
    }
}

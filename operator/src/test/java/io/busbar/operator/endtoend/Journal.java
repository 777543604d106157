package io.busbar.operator.endtoend;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * What happened in a run, line by line as it happens, and how often: a file for whoever looks for the cause of
 * something. Any thread.
 */
final class Journal implements AutoCloseable {

    private final PrintWriter file;
    private final Map<String, Integer> counts = new TreeMap<>();

    Journal(Path file) {
        try {
            this.file = new PrintWriter(Files.newBufferedWriter(file), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    synchronized void note(String line) {
        file.println(Instant.now() + " " + line);
    }

    /**
     * Notes something that is counted.
     *
     * @param kind what it counts as
     * @param object what it happened to
     */
    synchronized void count(String kind, String object) {
        counts.merge(kind, 1, Integer::sum);
        note(kind + " " + object);
    }

    synchronized Map<String, Integer> counts() {
        return new TreeMap<>(counts);
    }

    @Override
    public void close() {
        file.close();
    }
}

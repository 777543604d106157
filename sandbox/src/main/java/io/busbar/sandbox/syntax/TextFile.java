package io.busbar.sandbox.syntax;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Data that stands beside a class as text: lines, of which empty ones and those behind {@code #} do not count. Any
 * thread.
 */
public final class TextFile {

    private TextFile() {}

    public static List<String> lines(Class<?> beside, String name) {
        InputStream file =
                Objects.requireNonNull(beside.getResourceAsStream(name), () -> "no " + name + " beside " + beside);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What stands behind the first colon of each line, by what stands before it. */
    public static Map<String, String> entries(Class<?> beside, String name) {
        Map<String, String> entries = new HashMap<>();
        for (String line : lines(beside, name)) {
            int colon = line.indexOf(':');
            entries.put(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        return Map.copyOf(entries);
    }
}

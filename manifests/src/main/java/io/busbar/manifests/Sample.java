package io.busbar.manifests;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * An example of a kind, as people would write it, comments and all.
 *
 * <p>Immutable.
 *
 * @param file its name, by kubebuilder's custom {@code <group's first part>_<version>_<kind>.yaml}
 */
public record Sample(String file, String yaml) {

    /**
     * Reads one that lies beside a class.
     *
     * @throws IllegalArgumentException when there is none of that name
     */
    public static Sample beside(Class<?> type, String file) {
        try (InputStream resource = type.getResourceAsStream(file)) {
            if (resource == null) {
                throw new IllegalArgumentException("no resource " + file + " beside " + type.getName());
            }
            return new Sample(
                    file.substring(file.lastIndexOf('/') + 1),
                    new String(resource.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}

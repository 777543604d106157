package io.busbar.charts.render;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;

/**
 * What a template asks the cluster for by {@code lookup}. Immutable.
 *
 * @param namespace empty for a kind in none, and for all namespaces
 * @param name empty for all objects there are
 */
public record Lookup(String apiVersion, String kind, String namespace, String name) {

    private static final int PARTS = 4;

    /** The one that has a {@link #key}. */
    static Lookup of(String key) {
        String[] parts = new String(Base64.getDecoder().decode(key), UTF_8).split("\n", PARTS);
        return new Lookup(parts[0], parts[1], parts[2], parts[3]);
    }

    /** As {@link LookupTemplate} has it. */
    String key() {
        return Base64.getEncoder()
                .encodeToString(
                        String.join("\n", apiVersion, kind, namespace, name).getBytes(UTF_8));
    }
}

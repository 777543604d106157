package io.busbar.manifests.installed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.yaml.Yaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Files of this module's folder. Tests run in it. */
final class CheckedIn {

    static final Path CONFIG = Path.of("config");
    static final Path CHART = Path.of("chart");

    private CheckedIn() {}

    static List<ObjectNode> objects(String file) {
        try {
            return Yaml.readAll(Files.readString(Path.of(file)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** By kind, namespace and name. */
    static Map<String, ObjectNode> byKey(List<ObjectNode> objects) {
        Map<String, ObjectNode> keyed = new TreeMap<>();
        for (ObjectNode object : objects) {
            String key = object.path("kind").asText() + " "
                    + object.at("/metadata/namespace").asText("") + "/"
                    + object.at("/metadata/name").asText();
            if (keyed.put(key, object) != null) {
                throw new IllegalArgumentException("there twice: " + key);
            }
        }
        return keyed;
    }
}

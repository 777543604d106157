package io.busbar.manifests.installed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.Helm;
import io.busbar.manifests.yaml.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What Helm makes of a chart with each of the combinations of values. Any thread; blocks. */
public final class ChartRenderings {

    /** By what they are about. */
    public static final Map<String, JsonNode> COMBINATIONS = combinations();

    private final Helm helm;

    /** Of the chart in a folder. */
    public ChartRenderings(Path chart) {
        this.helm = new Helm(chart);
    }

    private static Map<String, JsonNode> combinations() {
        try (InputStream file = ChartRenderings.class.getResourceAsStream("combinations.yaml")) {
            Map<String, JsonNode> combinations = new LinkedHashMap<>();
            Yaml.read(new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8))
                    .properties()
                    .forEach(one -> combinations.put(one.getKey(), one.getValue()));
            return combinations;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * A release as Helm's command {@code template} makes it, without a look at a cluster.
     *
     * @param kubernetes the version that it is for, such as 1.33.1
     * @throws IllegalStateException with Helm's words, where it refuses the values
     */
    public List<ObjectNode> render(String release, String namespace, String kubernetes, JsonNode values) {
        try {
            Path file = Files.createTempFile("values", ".yaml");
            try {
                Files.writeString(file, Yaml.write(values));
                return Yaml.readAll(helm.template()
                        .withName(release)
                        .withNamespace(namespace)
                        .withKubeVersion(kubernetes)
                        .withValuesFile(file)
                        .set(
                                "lookup.enabled",
                                false) // this library looks for a cluster where Helm's own command does not
                        .call());
            } finally {
                Files.delete(file);
            }
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}

package io.busbar.manifests.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes Kubernetes objects as YAML that is the same for equal objects, and reads them.
 *
 * <p>Block style, two spaces, keys by name but for apiVersion, kind and metadata, which come first in a document; a
 * newline at the end. A string is quoted wherever a reader of YAML 1.1 or 1.2 could take it for something else
 * ({@code on}, {@code 0755}, {@code 1.20}).
 *
 * <p>Any thread.
 */
public final class Yaml {

    private static final List<String> FIRST_IN_DOCUMENT = List.of("apiVersion", "kind", "metadata");

    private static final Comparator<String> DOCUMENT_ORDER = Comparator.<String>comparingInt(
                    key -> FIRST_IN_DOCUMENT.contains(key) ? FIRST_IN_DOCUMENT.indexOf(key) : Integer.MAX_VALUE)
            .thenComparing(Comparator.naturalOrder());

    private static final Pattern DOCUMENT_SEPARATOR = Pattern.compile("(?m)^---\\s*$");

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private Yaml() {}

    /** One document. */
    public static String write(Object object) {
        JsonNode tree = SERIALIZATION.convertValue(object, JsonNode.class);
        return lines(tree, DOCUMENT_ORDER).stream().collect(Collectors.joining("\n", "", "\n"));
    }

    /** Several documents, with {@code ---} between them. */
    public static String writeAll(Collection<?> objects) {
        return objects.stream().map(Yaml::write).collect(Collectors.joining("---\n"));
    }

    /** What {@link #writeAll} has written, or anybody else: the documents that are objects. */
    public static List<ObjectNode> readAll(String text) {
        return DOCUMENT_SEPARATOR
                .splitAsStream(text)
                .map(Yaml::read)
                .filter(JsonNode::isObject)
                .map(ObjectNode.class::cast)
                .toList();
    }

    /** One document; null where there is nothing but comments. */
    public static JsonNode read(String text) {
        JsonNode document = SERIALIZATION.unmarshal(text, JsonNode.class);
        return document == null ? NullNode.getInstance() : document;
    }

    private static List<String> lines(JsonNode node, Comparator<String> order) {
        if (node.isObject() && !node.isEmpty()) {
            return mapping((ObjectNode) node, order);
        }
        if (node.isArray() && !node.isEmpty()) {
            List<String> lines = new ArrayList<>();
            node.forEach(item -> lines.addAll(item(item)));
            return lines;
        }
        return List.of(node.isTextual() ? Scalar.of(node.textValue()) : node.toString());
    }

    private static List<String> mapping(ObjectNode node, Comparator<String> order) {
        Map<String, JsonNode> sorted = new TreeMap<>(order);
        node.properties().forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
        List<String> lines = new ArrayList<>();
        sorted.forEach((name, value) -> {
            String key = Scalar.of(name) + ":";
            List<String> below = lines(value, Comparator.naturalOrder());
            if (value.isContainerNode() && !value.isEmpty()) {
                lines.add(key);
                String indent = value.isArray() ? "" : "  ";
                below.forEach(line -> lines.add(indent + line));
            } else {
                lines.add(key + " " + below.get(0));
            }
        });
        return lines;
    }

    private static List<String> item(JsonNode node) {
        List<String> lines = new ArrayList<>();
        for (String line : lines(node, Comparator.naturalOrder())) {
            lines.add((lines.isEmpty() ? "- " : "  ") + line);
        }
        return lines;
    }
}

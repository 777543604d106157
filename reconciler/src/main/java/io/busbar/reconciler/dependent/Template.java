package io.busbar.reconciler.dependent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A desired object as people write it, in YAML, with holes: <code>${name}</code>.
 *
 * <p>A value that is one hole takes what fills it with its type, so that <code>replicas: ${size}</code> becomes a
 * number; holes within a text take it as text. Holes are filled after the YAML is read: no value can change the
 * structure. <code>$${name}</code> is text, as is a reference of Kubernetes' own, {@code $(NAME)}.
 *
 * <p>Immutable.
 */
public final class Template {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
    private static final Pattern HOLE = Pattern.compile("(?<escape>\\$)?\\$\\{(?<name>\\w*)}?");

    private final String source;
    private final ObjectNode tree;

    private Template(String source, ObjectNode tree) {
        this.source = source;
        this.tree = tree;
    }

    /**
     * Reads one that lies beside a class, as a resource of one YAML document.
     *
     * @throws IllegalArgumentException when there is none of that name
     */
    public static Template beside(Class<?> type, String file) {
        try (InputStream resource = type.getResourceAsStream(file)) {
            if (resource == null) {
                throw new IllegalArgumentException("no resource " + file + " beside " + type.getName());
            }
            return of(file, new String(resource.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * @param source for messages
     */
    static Template of(String source, String yaml) {
        return new Template(source, SERIALIZATION.unmarshal(yaml, ObjectNode.class));
    }

    /**
     * The object with its holes filled.
     *
     * @param values by the names of the holes; may be more than there are holes, so that templates can share them
     * @throws IllegalArgumentException naming the hole, when one has no value
     */
    public <T extends HasMetadata> T fill(Class<T> type, Map<String, ?> values) {
        return SERIALIZATION.convertValue(filled(tree, values), type);
    }

    /**
     * The same for an object of a primary: {@code name} and {@code namespace} are the primary's, unless {@code values}
     * say otherwise.
     */
    public <T extends HasMetadata> T fill(Class<T> type, HasMetadata primary, Map<String, ?> values) {
        Map<String, Object> all = new HashMap<>(values);
        all.putIfAbsent("name", primary.getMetadata().getName());
        all.putIfAbsent("namespace", primary.getMetadata().getNamespace());
        return fill(type, all);
    }

    private JsonNode filled(JsonNode node, Map<String, ?> values) {
        if (node instanceof ObjectNode object) {
            ObjectNode copy = JsonNodeFactory.instance.objectNode();
            object.properties().forEach(field -> copy.set(field.getKey(), filled(field.getValue(), values)));
            return copy;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode copy = JsonNodeFactory.instance.arrayNode();
            array.forEach(item -> copy.add(filled(item, values)));
            return copy;
        }
        return node.isTextual() ? text(node.textValue(), values) : node;
    }

    private JsonNode text(String text, Map<String, ?> values) {
        Matcher holes = HOLE.matcher(text);
        if (holes.matches() && holes.group("escape") == null) {
            return SERIALIZATION.convertValue(value(holes, values), JsonNode.class);
        }
        return TextNode.valueOf(holes.reset().replaceAll(hole -> Matcher.quoteReplacement(replacement(holes, values))));
    }

    private String replacement(Matcher hole, Map<String, ?> values) {
        return hole.group("escape") == null
                ? value(hole, values).toString()
                : hole.group().substring(1);
    }

    private Object value(Matcher hole, Map<String, ?> values) {
        Object value = values.get(hole.group("name"));
        if (value == null || !hole.group().endsWith("}")) {
            throw new IllegalArgumentException("no value for " + hole.group() + " in " + source);
        }
        return value;
    }
}

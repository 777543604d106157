package io.busbar.admission.registration;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * What {@code kubectl apply} goes by when it works out what to take away, so that a Service that somebody applies comes
 * in the place of a URL that the operator has registered: beside it, the API server refuses it.
 *
 * <p>On the client's side that is the annotation with what was applied last: it is told of the URL. On the server's
 * side it is what the applier owns: it is given all that the operator has set around the URL, and then gives up what it
 * does not apply itself.
 *
 * <p>Any thread; changes the trees that it is given.
 */
final class AppliersRecords {

    static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String APPLY = "Apply";
    private static final String KUBECTL = "kubectl";
    private static final String FIELDS = "fieldsV1";
    private static final String OPERATION = "operation";

    private AppliersRecords() {}

    /**
     * The annotation's text with the URLs of the object.
     *
     * @return as it is where no URL is registered; null if there is none and need be none
     */
    static @Nullable String lastApplied(ObjectNode object) {
        String before =
                object.path("metadata").path("annotations").path(LAST_APPLIED).asText(null);
        if (!isByUrl(object)) {
            return before;
        }
        JsonNode conversion = object.at("/spec/conversion/webhook/clientConfig/url");
        ObjectNode applied = parsed(before).orElseGet(() -> blank(object));
        ObjectNode told = applied.deepCopy();
        if (conversion.isTextual()) {
            told.withObject("/spec/conversion/webhook/clientConfig").set("url", conversion);
        }
        object.path("webhooks").forEach(webhook -> tell(told.withArray("/webhooks"), webhook));
        return told.equals(applied) ? before : told + "\n";
    }

    /** Whether a definition's conversion, or a webhook of a configuration, is registered by URL. */
    static boolean isByUrl(ObjectNode object) {
        return object.at("/spec/conversion/webhook/clientConfig/url").isTextual()
                || StreamSupport.stream(object.path("webhooks").spliterator(), false)
                        .anyMatch(webhook -> webhook.at("/clientConfig/url").isTextual());
    }

    private static void tell(ArrayNode applied, JsonNode webhook) {
        JsonNode url = webhook.at("/clientConfig/url");
        if (url.isTextual()) {
            StreamSupport.stream(applied.spliterator(), false)
                    .filter(known -> known.path("name").equals(webhook.path("name")))
                    .map(ObjectNode.class::cast)
                    .findFirst()
                    .orElseGet(() ->
                            applied.addObject().put("name", webhook.path("name").asText()))
                    .withObject("/clientConfig")
                    .set("url", url);
        }
    }

    private static Optional<ObjectNode> parsed(@Nullable String annotation) {
        if (annotation == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(MAPPER.readTree(annotation))
                    .filter(JsonNode::isObject)
                    .map(ObjectNode.class::cast);
        } catch (JsonProcessingException notKubectls) {
            return Optional.empty();
        }
    }

    private static ObjectNode blank(ObjectNode object) {
        ObjectNode applied = MAPPER.createObjectNode();
        applied.set("apiVersion", object.path("apiVersion"));
        applied.set("kind", object.path("kind"));
        applied.putObject("metadata").set("name", object.at("/metadata/name"));
        return applied;
    }

    /**
     * Has whoever applies the object own the fields at a path that others have set in it: kubectl, unless another
     * applies it.
     *
     * @param path as in {@code fieldsV1}, such as {@code f:spec, f:conversion}
     * @return whether the object's managedFields are others now
     */
    static boolean handOver(ObjectNode object, List<String> path) {
        ArrayNode entries = entries(object);
        ObjectNode taken = MAPPER.createObjectNode();
        ObjectNode last = null;
        for (JsonNode entry : entries) {
            JsonNode fields = entry.path(FIELDS).at(pointer(path));
            if (!applies(entry) && fields.isObject()) {
                merge(taken, (ObjectNode) fields);
                ((ObjectNode) entry.path(FIELDS).at(pointer(path.subList(0, path.size() - 1))))
                        .remove(path.get(path.size() - 1));
                last = (ObjectNode) entry;
            }
        }
        if (last == null) {
            return false;
        }
        ObjectNode heir = applier(entries, path).orElse(null);
        if (heir == null) {
            heir = entries.addObject().put("manager", KUBECTL).put(OPERATION, APPLY);
            heir.setAll(last.deepCopy().retain("apiVersion", "time", "fieldsType"));
        }
        merge(nested(heir.withObjectProperty(FIELDS), path), taken);
        return true;
    }

    /**
     * Has nobody who applies the object own its caBundles: they would go with the next apply.
     *
     * @return whether the object's managedFields are others now
     */
    static boolean keepBundles(ObjectNode object) {
        boolean changed = false;
        for (JsonNode entry : entries(object)) {
            for (JsonNode around : entry.path(FIELDS).findParents("f:caBundle")) {
                changed |= applies(entry);
                if (applies(entry)) {
                    ((ObjectNode) around).remove("f:caBundle");
                }
            }
        }
        return changed;
    }

    private static Optional<ObjectNode> applier(ArrayNode entries, List<String> path) {
        List<ObjectNode> appliers = StreamSupport.stream(entries.spliterator(), false)
                .filter(AppliersRecords::applies)
                .map(ObjectNode.class::cast)
                .toList();
        return appliers.stream()
                .filter(entry -> entry.path("manager").asText().equals(KUBECTL))
                .findFirst()
                .or(() -> appliers.stream()
                        .filter(entry -> entry.path(FIELDS).has(path.get(0)))
                        .findFirst());
    }

    private static boolean applies(JsonNode entry) {
        return entry.path(OPERATION).asText().equals(APPLY);
    }

    private static ArrayNode entries(ObjectNode object) {
        return object.at("/metadata/managedFields") instanceof ArrayNode there ? there : MAPPER.createArrayNode();
    }

    private static String pointer(List<String> path) {
        return path.isEmpty() ? "" : "/" + String.join("/", path);
    }

    private static ObjectNode nested(ObjectNode fields, List<String> path) {
        ObjectNode inner = fields;
        for (String name : path) {
            inner = inner.path(name) instanceof ObjectNode there ? there : inner.putObject(name);
        }
        return inner;
    }

    private static void merge(ObjectNode into, ObjectNode more) {
        more.properties().forEach(member -> {
            if (into.get(member.getKey()) instanceof ObjectNode there
                    && member.getValue() instanceof ObjectNode inner) {
                merge(there, inner);
            } else {
                into.set(member.getKey(), member.getValue());
            }
        });
    }
}

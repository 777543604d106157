package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Whether an object as stored already holds every field that is desired.
 *
 * <p>What the API server adds to an object (defaults, other managers' fields) does not count. In lists that it merges by key
 * an element is sought by its key, and others may be there too; all other lists must be equally long, element by element.
 * Quantities compare by amount, numbers by value. When in doubt the answer is no: that costs one request, which the API
 * server finds to change nothing.
 *
 * <p>Immutable. Source of the keys: the {@code x-kubernetes-list-map-keys} of the built-in types.
 */
final class Coverage {

    /** Fields whose own value, or whose members' values, are quantities. */
    private static final Set<String> QUANTITIES = Set.of(
            "limits",
            "requests",
            "capacity",
            "allocatable",
            "hard",
            "podFixed",
            "overhead",
            "default",
            "defaultRequest",
            "max",
            "min",
            "sizeLimit",
            "divisor",
            "averageValue");

    private static final List<String> PORT_KEYS = List.of("containerPort", "port", "protocol");

    private static final Map<String, List<String>> MERGE_KEYS = Map.ofEntries(
            Map.entry("containers", List.of("name")),
            Map.entry("initContainers", List.of("name")),
            Map.entry("volumes", List.of("name")),
            Map.entry("env", List.of("name")),
            Map.entry("imagePullSecrets", List.of("name")),
            Map.entry("webhooks", List.of("name")),
            Map.entry("volumeMounts", List.of("mountPath")),
            Map.entry("volumeDevices", List.of("devicePath")),
            Map.entry("hostAliases", List.of("ip")),
            Map.entry("ownerReferences", List.of("uid")),
            Map.entry("topologySpreadConstraints", List.of("topologyKey", "whenUnsatisfiable")),
            Map.entry("conditions", List.of("type")),
            Map.entry("ports", PORT_KEYS));

    private static final Map<String, String> KEY_DEFAULTS = Map.of("protocol", "TCP");

    private Coverage() {}

    /** Of two whole objects; their apiVersion and kind are taken to be the same. */
    static boolean covers(JsonNode current, JsonNode desired) {
        return desired.properties().stream()
                .filter(field ->
                        !field.getKey().equals("apiVersion") && !field.getKey().equals("kind"))
                .allMatch(field -> covers("", field.getKey(), current.get(field.getKey()), field.getValue()));
    }

    private static boolean covers(String holder, String name, @Nullable JsonNode current, JsonNode desired) {
        if (desired.isNull()) {
            return true;
        }
        if (current == null || current.isNull()) {
            return desired.isArray() && desired.isEmpty();
        }
        if (desired.isObject()) {
            return current.isObject()
                    && desired.properties().stream()
                            .allMatch(field ->
                                    covers(name, field.getKey(), current.get(field.getKey()), field.getValue()));
        }
        if (desired.isArray()) {
            return current.isArray() && list(name, current, desired);
        }
        boolean quantity = QUANTITIES.contains(holder) || QUANTITIES.contains(name);
        return equalScalars(current, desired) || (quantity && equalAmounts(current, desired));
    }

    private static boolean list(String name, JsonNode current, JsonNode desired) {
        if (name.equals("finalizers")) {
            return elements(desired).allMatch(one -> elements(current).anyMatch(one::equals));
        }
        List<String> keys = MERGE_KEYS.get(name);
        if (keys != null && elements(desired).allMatch(JsonNode::isObject)) {
            return elements(desired)
                    .allMatch(one -> elements(current)
                            .anyMatch(other -> sameKey(keys, other, one) && covers("", name, other, one)));
        }
        return current.size() == desired.size()
                && IntStream.range(0, desired.size()).allMatch(i -> covers("", name, current.get(i), desired.get(i)));
    }

    /** Whether two ports, of a container or a Service, are one to the API server. */
    static boolean isSamePort(JsonNode one, JsonNode other) {
        return sameKey(PORT_KEYS, one, other);
    }

    private static boolean sameKey(List<String> keys, JsonNode current, JsonNode desired) {
        return keys.stream().allMatch(key -> keyPart(key, current).equals(keyPart(key, desired)));
    }

    private static String keyPart(String key, JsonNode element) {
        return element.path(key).asText(KEY_DEFAULTS.getOrDefault(key, ""));
    }

    private static boolean equalScalars(JsonNode current, JsonNode desired) {
        return (current.isNumber() && desired.isNumber())
                ? current.decimalValue().compareTo(desired.decimalValue()) == 0
                : current.equals(desired);
    }

    private static boolean equalAmounts(JsonNode current, JsonNode desired) {
        try {
            return Quantity.getAmountInBytes(new Quantity(current.asText()))
                            .compareTo(Quantity.getAmountInBytes(new Quantity(desired.asText())))
                    == 0;
        } catch (IllegalArgumentException | ArithmeticException notQuantities) {
            return false;
        }
    }

    private static Stream<JsonNode> elements(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }
}

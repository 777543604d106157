package io.busbar.manifests.crd;

import io.busbar.manifests.crd.SchemaRefiner.Field;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Decides how server-side apply merges a list: by annotation, else as Kubernetes merges lists of that type, else a Java
 * Set of scalars is a set. A list of which nothing is known has one owner as a whole.
 *
 * <p>Immutable.
 */
final class ListTypes {

    private static final Set<String> SCALARS = Set.of("string", "integer", "number", "boolean");

    private ListTypes() {}

    static void refine(JSONSchemaProps schema, Field field, String path) {
        JSONSchemaProps items = schema.getItems().getSchema();
        Class<?> itemType = field.type().getContentType().getRawClass();
        Optional<List<String>> keys = keys(field, itemType);
        if (Boolean.TRUE.equals(schema.getXKubernetesPreserveUnknownFields())) {
            schema.setXKubernetesPreserveUnknownFields(null); // said of the list, meant of its items
            items.setXKubernetesPreserveUnknownFields(true);
        }
        keys.ifPresent(names -> makeMap(schema, names, itemType, path));
        if (field.has(Atomic.class)) {
            schema.setXKubernetesListType("atomic");
        } else if (keys.isEmpty() && isSet(field, items)) {
            schema.setXKubernetesListType("set");
        }
        if (field.has(Schemaless.class)) {
            forgetAllBut(items, keys.orElse(List.of()));
        }
    }

    private static Optional<List<String>> keys(Field field, Class<?> itemType) {
        if (field.has(Atomic.class)) {
            return Optional.empty();
        }
        return field.get(ListMap.class).map(map -> List.of(map.keys())).or(() -> CoreTypes.listKeys(itemType));
    }

    private static boolean isSet(Field field, JSONSchemaProps items) {
        return field.has(ListSet.class)
                || (Set.class.isAssignableFrom(field.type().getRawClass()) && SCALARS.contains(items.getType()));
    }

    private static void makeMap(JSONSchemaProps schema, List<String> keys, Class<?> itemType, String path) {
        schema.setXKubernetesListType("map");
        schema.setXKubernetesListMapKeys(keys);
        JSONSchemaProps items = schema.getItems().getSchema();
        List<String> required = new ArrayList<>(items.getRequired() == null ? List.of() : items.getRequired());
        for (String key : keys) {
            JSONSchemaProps property =
                    items.getProperties() == null ? null : items.getProperties().get(key);
            if (property == null) {
                throw new IllegalArgumentException(
                        path + " is to be keyed by " + key + ", which its items do not have");
            }
            property.setNullable(null);
            CoreTypes.keyDefault(itemType, key).ifPresent(property::setDefault);
            if (property.getDefault() == null && !required.contains(key)) {
                required.add(key);
            }
        }
        items.setRequired(required.stream().sorted().toList());
    }

    private static void forgetAllBut(JSONSchemaProps items, List<String> keys) {
        Map<String, JSONSchemaProps> kept = new TreeMap<>();
        keys.forEach(key -> kept.put(key, items.getProperties().get(key)));
        items.setProperties(kept);
        items.setRequired(
                items.getRequired() == null
                        ? null
                        : items.getRequired().stream().filter(keys::contains).toList());
        items.setXKubernetesPreserveUnknownFields(true);
    }
}

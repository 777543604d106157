package io.busbar.manifests.crd;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.time.Duration;
import java.util.Map;

/**
 * What a Java type says of a scalar beyond its JSON type.
 *
 * <p>Immutable. Source of the formats: Kubernetes' OpenAPI conventions; of the pattern: the syntax of
 * {@code k8s.io/apimachinery/pkg/api/resource.Quantity}.
 */
final class ScalarTypes {

    private static final Map<Class<?>, String> FORMATS = Map.ofEntries(
            Map.entry(byte.class, "int32"),
            Map.entry(Byte.class, "int32"),
            Map.entry(short.class, "int32"),
            Map.entry(Short.class, "int32"),
            Map.entry(int.class, "int32"),
            Map.entry(Integer.class, "int32"),
            Map.entry(long.class, "int64"),
            Map.entry(Long.class, "int64"),
            Map.entry(float.class, "float"),
            Map.entry(Float.class, "float"),
            Map.entry(double.class, "double"),
            Map.entry(Double.class, "double"));

    private static final String DECIMAL = "(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))";

    private static final String QUANTITY =
            "^(\\+|-)?" + DECIMAL + "(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?" + DECIMAL + "))?$";

    private ScalarTypes() {}

    static void refine(JSONSchemaProps schema, Class<?> type) {
        if (FORMATS.containsKey(type)) {
            schema.setFormat(FORMATS.get(type));
        } else if (type == byte[].class) {
            schema.setType("string");
            schema.setFormat("byte");
            schema.setItems(null);
        } else if (type == Duration.class) {
            schema.setFormat(null); // ISO 8601: neither the date-time that the draft takes it for, nor Go's duration
        } else if (type == Quantity.class) {
            schema.setPattern(QUANTITY);
        }
    }
}

package io.busbar.blueprint.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether an OpenAPI v3 schema can be that of a custom resource: it is structural, and knows no field that there is
 * not.
 *
 * <p>Any thread.
 */
final class SchemaForm {

    private static final Set<String> TYPES = Set.of("object", "array", "string", "integer", "number", "boolean");
    private static final Set<String> KNOWN = Set.of(
            ("type properties items additionalProperties required enum default description format title example nullable"
                            + " minimum maximum exclusiveMinimum exclusiveMaximum multipleOf pattern minLength maxLength"
                            + " minItems maxItems uniqueItems minProperties maxProperties externalDocs allOf anyOf oneOf not"
                            + " x-kubernetes-preserve-unknown-fields x-kubernetes-int-or-string"
                            + " x-kubernetes-embedded-resource x-kubernetes-list-type x-kubernetes-list-map-keys"
                            + " x-kubernetes-map-type x-kubernetes-validations")
                    .split(" "));

    private final Problems problems;

    SchemaForm(Problems problems) {
        this.problems = problems;
    }

    void check(SourceNode schema) {
        if (!schema.isMap()) {
            problems.add(schema.place(), "must be a schema, and is " + schema.shown());
            return;
        }
        for (Map.Entry<String, SourceNode> field : schema.entries()) {
            if (!KNOWN.contains(field.getKey())) {
                problems.add(field.getValue().keyPlace(), "unknown field of a schema");
            }
        }
        checkType(schema);
        SourceNode pattern = schema.at("pattern");
        if (pattern != null) {
            try {
                Pattern.compile(pattern.text());
            } catch (PatternSyntaxException e) {
                problems.add(pattern.place(), "no regular expression: " + e.getDescription());
            }
        }
        SourceNode properties = schema.at("properties");
        SourceNode values = schema.at("additionalProperties");
        SourceNode items = schema.at("items");
        if (properties != null && values != null) {
            problems.add(values.keyPlace(), "there can be no additionalProperties beside properties");
        }
        if (properties != null) {
            properties.fields().forEach(this::check);
        }
        if (values != null && !values.value().isBoolean()) {
            check(values);
        }
        if (items != null) {
            check(items);
        }
    }

    private void checkType(SourceNode schema) {
        String type = schema.text("type");
        boolean untyped =
                isTrue(schema, "x-kubernetes-int-or-string") || isTrue(schema, "x-kubernetes-preserve-unknown-fields");
        if (type.isEmpty() && !untyped) {
            problems.add(schema.keyPlace(), "the field 'type' is missing");
        } else if (!type.isEmpty() && !TYPES.contains(type)) {
            problems.add(
                    schema.field("type").orElse(schema).place(),
                    "'" + type + "' is no type; allowed: " + String.join(", ", new TreeSet<>(TYPES)));
        } else if (type.equals("array") && schema.at("items") == null) {
            problems.add(schema.keyPlace(), "the field 'items' is missing");
        }
    }

    private static boolean isTrue(SourceNode schema, String field) {
        SourceNode value = schema.at(field);
        return value != null && value.value().asBoolean();
    }
}

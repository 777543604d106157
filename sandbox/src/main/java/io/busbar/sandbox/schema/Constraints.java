package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a schema demands of a value beyond its type; null or empty where it demands nothing. Immutable. */
record Constraints(
        @Nullable BigDecimal minimum,
        boolean exclusiveMinimum,
        @Nullable BigDecimal maximum,
        boolean exclusiveMaximum,
        @Nullable BigDecimal multipleOf,
        @Nullable Integer minLength,
        @Nullable Integer maxLength,
        @Nullable Integer minItems,
        @Nullable Integer maxItems,
        @Nullable Integer minProperties,
        @Nullable Integer maxProperties,
        boolean uniqueItems,
        String patternText,
        @Nullable Pattern pattern,
        String format,
        List<JsonNode> enumeration,
        List<String> required,
        List<StructuralSchema> allOf,
        List<StructuralSchema> anyOf,
        List<StructuralSchema> oneOf,
        @Nullable StructuralSchema not) {

    static Constraints of(JsonNode schema) {
        List<JsonNode> enumeration = new ArrayList<>();
        schema.path("enum").forEach(enumeration::add);
        List<String> required = new ArrayList<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        String pattern = schema.path("pattern").asText();
        return new Constraints(
                decimal(schema, "minimum"),
                schema.path("exclusiveMinimum").asBoolean(),
                decimal(schema, "maximum"),
                schema.path("exclusiveMaximum").asBoolean(),
                decimal(schema, "multipleOf"),
                integer(schema, "minLength"),
                integer(schema, "maxLength"),
                integer(schema, "minItems"),
                integer(schema, "maxItems"),
                integer(schema, "minProperties"),
                integer(schema, "maxProperties"),
                schema.path("uniqueItems").asBoolean(),
                pattern,
                pattern.isEmpty() ? null : compile(pattern),
                schema.path("format").asText(),
                List.copyOf(enumeration),
                List.copyOf(required),
                schemas(schema, "allOf"),
                schemas(schema, "anyOf"),
                schemas(schema, "oneOf"),
                schema.path("not").isObject() ? StructuralSchema.of(schema.path("not")) : null);
    }

    private static @Nullable BigDecimal decimal(JsonNode schema, String name) {
        JsonNode number = schema.get(name);
        return number != null && number.isNumber() ? number.decimalValue() : null;
    }

    private static @Nullable Integer integer(JsonNode schema, String name) {
        JsonNode number = schema.get(name);
        return number != null && number.isNumber() ? number.intValue() : null;
    }

    private static List<StructuralSchema> schemas(JsonNode schema, String name) {
        List<StructuralSchema> schemas = new ArrayList<>();
        schema.path(name).forEach(part -> schemas.add(StructuralSchema.of(part)));
        return List.copyOf(schemas);
    }

    /** One that RE2 can't read is not enforced; no definition with such a one is made. */
    private static @Nullable Pattern compile(String pattern) {
        try {
            return Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            return null;
        }
    }
}

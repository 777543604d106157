package io.busbar.blueprint.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.busbar.blueprint.schema.FieldSyntax.Marker;
import io.busbar.blueprint.schema.FieldSyntax.SyntaxException;
import io.busbar.blueprint.source.Place;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes OpenAPI v3 of SimpleSchema, the short form that kro has for schemas.
 *
 * <p>One thread, for one schema. An object whose fields have defaults, and none of which must be given, is {@code {}}
 * by default, so that expressions find the defaults where the object is left out.
 */
final class SimpleSchema {

    private static final Map<String, String> SCALARS =
            Map.of("string", "string", "integer", "integer", "boolean", "boolean", "float", "number");
    private static final Set<String> OF_ALL =
            Set.of("required", "default", "description", "immutable", "printColumn", "enum", "validation");
    private static final Set<String> OF_NUMBERS = Set.of("minimum", "maximum");
    private static final Set<String> OF_TEXTS = Set.of("pattern", "minLength", "maxLength");
    private static final Set<String> OF_LISTS = Set.of("uniqueItems", "minItems", "maxItems");
    private static final Set<String> LIMITS =
            Set.of("enum", "minimum", "maximum", "pattern", "minLength", "maxLength", "minItems", "maxItems");
    /** The words for it that Go takes, and so does kro. */
    private static final Set<String> TRUE = Set.of("true", "True", "TRUE", "t", "T", "1");

    private static final Set<String> FALSE = Set.of("false", "False", "FALSE", "f", "F", "0");
    private static final int MOST_FIELDS = 10_000;
    private static final int DEEPEST = 30;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final Map<String, SourceNode> types;
    private final Problems problems;
    private final List<Column> columns = new ArrayList<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final Set<String> used = new HashSet<>();
    /** What is wrong with rules: those of a type come as often as the type does. */
    private final Map<List<Object>, List<String>> rules = new HashMap<>();

    private int fields;

    /** @param types of one's own, by name */
    SimpleSchema(Map<String, SourceNode> types, Problems problems) {
        this.types = types;
        this.problems = problems;
        types.forEach((name, type) -> {
            if (SCALARS.containsKey(name) || name.equals("object")) {
                problems.add(type.keyPlace(), "'" + name + "' is a type of SimpleSchema itself");
            } else if (!name.matches("[A-Za-z0-9_-]+")) {
                problems.add(type.keyPlace(), "the name of a type is letters, digits, '_' and '-'");
            }
        });
    }

    /** The columns that fields have asked for so far. */
    List<Column> columns() {
        return columns;
    }

    /** Looks at the types that no field has, too: what is wrong with them is told as well. */
    void checkUnusedTypes() {
        types.forEach((name, type) -> {
            if (!used.contains(name)) {
                named(name, type.place(), "");
            }
        });
    }

    /**
     * The schema of a map of fields.
     *
     * @param path of it, as a JSON path
     */
    ObjectNode object(SourceNode map, String path) {
        ObjectNode schema = NODES.objectNode().put("type", "object");
        ObjectNode properties = NODES.objectNode();
        ArrayNode required = NODES.arrayNode();
        boolean anyDefault = false;
        boolean allGiven = true;
        for (Map.Entry<String, SourceNode> field : map.entries()) {
            Written written = field(field.getValue(), path + "." + field.getKey());
            properties.set(field.getKey(), written.schema());
            if (written.required()) {
                required.add(field.getKey());
                allGiven &= written.schema().has("default");
            }
            anyDefault |= written.schema().has("default");
        }
        if (!properties.isEmpty()) {
            schema.set("properties", properties);
        }
        if (!required.isEmpty()) {
            schema.set("required", required);
        }
        if (anyDefault && allGiven) {
            schema.set("default", NODES.objectNode());
        }
        return schema;
    }

    /** What a field has come to. */
    private record Written(ObjectNode schema, boolean required) {}

    private Written field(SourceNode field, String path) {
        fields++;
        if (fields > MOST_FIELDS || open.size() > DEEPEST) {
            problems.add(field.place(), "the schema is too large: more than " + MOST_FIELDS + " fields, or too deep");
            return optional(anything());
        }
        if (field.isMap()) {
            Optional<String> simple = OpenApiFields.instead(field, types.keySet());
            simple.ifPresent(instead -> problems.add(
                    field.place(),
                    "this is OpenAPI, and stands in SimpleSchema; write " + instead
                            + ", or the whole schema as openAPIV3Schema"));
            return new Written(simple.isPresent() ? anything() : object(field, path), false);
        }
        if (!field.isText()) {
            problems.add(
                    field.place(),
                    "must be a type, such as 'string | default=\"a\"', or a map of fields, and is " + field.shown());
            return optional(anything());
        }
        try {
            FieldSyntax syntax = FieldSyntax.parse(field.text());
            Written type = type(syntax.type(), field.place(), path, 0);
            ObjectNode schema = type.schema();
            Set<String> seen = new HashSet<>();
            boolean required = type.required();
            for (Marker marker : syntax.markers()) {
                Place place = field.within(marker.name() + "=", marker.offset());
                if (!seen.add(marker.name()) && !marker.name().equals("validation")) {
                    problems.add(place, "the marker '" + marker.name() + "' is there twice");
                }
                mark(schema, marker, place, path);
                required |= marker.name().equals("required") && TRUE.contains(marker.value());
            }
            checkLimits(schema, field.place());
            if (required
                    && !schema.path("default").isMissingNode()
                    && schema.path("default").isEmpty()
                    && schema.path("type").asText().equals("object")
                    && !seen.contains("default")) {
                schema.remove("default");
            }
            return new Written(schema, required);
        } catch (SyntaxException e) {
            problems.add(field.place(), String.valueOf(e.getMessage()));
            return optional(anything());
        }
    }

    private static ObjectNode anything() {
        return NODES.objectNode().put("x-kubernetes-preserve-unknown-fields", true);
    }

    private Written type(String text, Place place, String path, int depth) {
        if (depth > DEEPEST) {
            problems.add(place, "the type is too deep");
            return optional(anything());
        }
        if (text.startsWith("[]")) {
            ObjectNode schema = NODES.objectNode().put("type", "array");
            schema.set("items", inner(text, "[]", "[]TYPE", place, depth));
            return optional(schema);
        }
        if (text.startsWith("map[")) {
            if (!text.startsWith("map[string]")) {
                problems.add(place, "'" + text + "' is no type; allowed: map[string]TYPE, as keys are texts");
                return optional(anything());
            }
            ObjectNode schema = NODES.objectNode().put("type", "object");
            schema.set("additionalProperties", inner(text, "map[string]", "map[string]TYPE", place, depth));
            return optional(schema);
        }
        if (text.equals("object")) {
            return optional(anything().put("type", "object"));
        }
        return SCALARS.containsKey(text)
                ? optional(NODES.objectNode().put("type", SCALARS.get(text)))
                : named(text, place, path);
    }

    private static Written optional(ObjectNode schema) {
        return new Written(schema, false);
    }

    /** The schema of items or values: that they are required says nothing about the list or the map. */
    private ObjectNode inner(String text, String start, String allowed, Place place, int depth) {
        String type = text.substring(start.length());
        if (type.isEmpty()) {
            problems.add(place, "'" + text + "' is no type; allowed: " + allowed);
            return anything();
        }
        return type(type, place, "", depth + 1).schema();
    }

    private Written named(String name, Place place, String path) {
        SourceNode type = types.get(name);
        if (type == null) {
            Set<String> allowed = new TreeSet<>(SCALARS.keySet());
            allowed.addAll(List.of("object", "[]TYPE", "map[string]TYPE"));
            allowed.addAll(types.keySet());
            problems.add(place, "'" + name + "' is no type; allowed: " + String.join(", ", allowed));
            return optional(anything());
        }
        used.add(name);
        if (open.contains(name)) {
            List<String> cycle = new ArrayList<>(open);
            Collections.reverse(cycle);
            cycle = new ArrayList<>(cycle.subList(cycle.indexOf(name), cycle.size()));
            cycle.add(name);
            problems.add(type.keyPlace(), "the types hold one another: " + String.join(" → ", cycle));
            return optional(anything());
        }
        open.push(name);
        try {
            return field(type, path);
        } finally {
            open.pop();
        }
    }

    private void mark(ObjectNode schema, Marker marker, Place place, String path) {
        String type = schema.path("type").asText();
        String name = marker.name();
        Set<String> allowed = new TreeSet<>(OF_ALL);
        switch (type) {
            case "integer", "number" -> allowed.addAll(OF_NUMBERS);
            case "string" -> allowed.addAll(OF_TEXTS);
            case "array" -> allowed.addAll(OF_LISTS);
            default -> {
                // What is no value has what all have.
            }
        }
        if (!allowed.contains(name)) {
            problems.add(place, "'" + name + "' is no marker of this type; allowed: " + String.join(", ", allowed));
            return;
        }
        switch (name) {
            case "required" -> flag(marker, place);
            case "immutable" -> {
                if (flag(marker, place)) {
                    addRule(schema, "self == oldSelf", "the field cannot be changed");
                }
            }
            case "uniqueItems" -> {
                if (flag(marker, place)) {
                    schema.put("x-kubernetes-list-type", "set");
                }
            }
            case "description", "printColumn" -> describe(schema, marker, place, path);
            case "pattern" -> pattern(schema, marker.value(), place);
            case "validation" -> rule(schema, marker.value(), place);
            case "enum" -> values(schema, marker, place, type);
            case "default" -> value(marker.value(), schema, place).ifPresent(value -> schema.set("default", value));
            case "minimum", "maximum" ->
                value(marker.value(), schema, place).ifPresent(value -> schema.set(name, value));
            default -> count(marker, place).ifPresent(count -> schema.put(name, count));
        }
    }

    private void describe(ObjectNode schema, Marker marker, Place place, String path) {
        if (marker.name().equals("description")) {
            schema.put("description", marker.value());
        } else if (!path.matches("(\\.[A-Za-z_][A-Za-z0-9_]*)+")) {
            problems.add(place, "a field of a list, of a map, or with signs in its name cannot be a column");
        } else if (!Set.of("string", "integer", "number", "boolean")
                .contains(schema.path("type").asText())) {
            problems.add(place, "only a text, a number or a boolean can be a column");
        } else {
            columns.add(new Column(marker.value(), schema.path("type").asText(), path));
        }
    }

    private void rule(ObjectNode schema, String rule, Place place) {
        rules.computeIfAbsent(List.of(rule, schema.deepCopy()), first -> FieldRules.flaws(rule, schema))
                .forEach(flaw -> problems.add(place, flaw));
        addRule(schema, rule, "validation failed");
    }

    private static void addRule(ObjectNode schema, String rule, String message) {
        schema.withArrayProperty("x-kubernetes-validations")
                .addObject()
                .put("rule", rule)
                .put("message", message);
    }

    private void pattern(ObjectNode schema, String pattern, Place place) {
        try {
            Pattern.compile(pattern);
            schema.put("pattern", pattern);
        } catch (PatternSyntaxException e) {
            problems.add(place, "'" + pattern + "' is no regular expression: " + e.getDescription());
        }
    }

    private void values(ObjectNode schema, Marker marker, Place place, String type) {
        if (!Set.of("string", "integer", "number").contains(type)) {
            problems.add(place, "'enum' is for texts and numbers");
            return;
        }
        ArrayNode values = NODES.arrayNode();
        for (String each : marker.value().split(",", -1)) {
            if (each.isBlank()) {
                problems.add(place, "'enum' has an empty value");
            } else {
                value(each.strip(), schema, place).ifPresent(values::add);
            }
        }
        schema.set("enum", values);
    }

    private boolean flag(Marker marker, Place place) {
        if (!TRUE.contains(marker.value()) && !FALSE.contains(marker.value())) {
            problems.add(
                    place, "'" + marker.value() + "' is not allowed for " + marker.name() + "; allowed: true, false");
        }
        return TRUE.contains(marker.value());
    }

    private Optional<Long> count(Marker marker, Place place) {
        if (marker.value().matches("[0-9]{1,9}")) {
            return Optional.of(Long.valueOf(marker.value()));
        }
        problems.add(
                place, "'" + marker.value() + "' is not allowed for " + marker.name() + "; allowed: a whole number");
        return Optional.empty();
    }

    private Optional<JsonNode> value(String text, ObjectNode schema, Place place) {
        String type = schema.path("type").asText();
        Optional<JsonNode> value = switch (type) {
            case "string" -> Optional.of(NODES.textNode(text));
            case "boolean" ->
                Set.of("true", "false").contains(text)
                        ? Optional.of(NODES.booleanNode(text.equals("true")))
                        : Optional.empty();
            case "integer" ->
                text.matches("-?[0-9]{1,18}") ? Optional.of(NODES.numberNode(Long.parseLong(text))) : Optional.empty();
            case "number" ->
                text.matches("-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]{1,2})?")
                        ? Optional.of(NODES.numberNode(new BigDecimal(text)))
                        : Optional.empty();
            default -> json(text);
        };
        String wanted = switch (type) {
            case "array" -> "a list in JSON";
            case "object" -> "an object in JSON";
            case "" -> "JSON";
            default -> "a value of the type " + type;
        };
        if (value.isEmpty()) {
            problems.add(place, "'" + text + "' is not allowed; allowed: " + wanted);
            return value;
        }
        Problems flaws = new Problems();
        Instances.check(value.get(), schema.deepCopy().without(LIMITS), place, flaws);
        flaws.list().forEach(flaw -> problems.add(place, flaw.message()));
        return flaws.isEmpty() ? value : Optional.empty();
    }

    private static Optional<JsonNode> json(String text) {
        try {
            return Optional.of(JSON.readTree(text));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** Markers may come in any order: what one says of another is asked when all are known. */
    private void checkLimits(ObjectNode schema, Place place) {
        for (String kind : List.of("imum", "Length", "Items")) {
            JsonNode least = schema.path("min" + kind);
            JsonNode most = schema.path("max" + kind);
            if (least.isNumber() && most.isNumber() && least.decimalValue().compareTo(most.decimalValue()) > 0) {
                problems.add(place, "min" + kind + " is more than max" + kind + ": " + least + " and " + most);
            }
        }
        JsonNode items = schema.path("items");
        if (schema.path("x-kubernetes-list-type").asText().equals("set")
                && Set.of("array", "object").contains(items.path("type").asText())) {
            problems.add(place, "'uniqueItems' is for lists of texts, numbers or booleans");
        }
        if (schema.has("default")) {
            Problems flaws = new Problems();
            Instances.check(schema.path("default"), schema, place, flaws);
            flaws.list().forEach(flaw -> problems.add(place, "the default is not valid: " + flaw.message()));
        }
    }
}

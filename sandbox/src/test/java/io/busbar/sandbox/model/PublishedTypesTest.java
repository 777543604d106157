package io.busbar.sandbox.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** {@code types.txt} is made from what Kubernetes publishes; {@code -Dsandbox.types.write=true} writes it anew. */
class PublishedTypesTest {

    private static final Path RESOURCE = Path.of("src/main/resources/io/busbar/sandbox/model/types.txt");
    private static final String HEAD = """
            # The types of the built-in kinds of Kubernetes 1.36.2, from what it publishes (/openapi/v3): written by a test, not by hand.
            # A line a type, its fields with their types: s text, i and l integers of 32 and 64 bits, b boolean, d number, y bytes.
            # * a list, {} a map, + required, = what it is by itself, ! server-side apply treats the type as one value;
            # atomic, granular, set, map(keys): how server-side apply merges; merge(key), retainKeys, replace: a strategic merge patch. ~ is a space.
            """;
    private static final Set<String> KNOWN = Set.of(
            "type",
            "format",
            "items",
            "additionalProperties",
            "allOf",
            "$ref",
            "enum",
            "default",
            "x-kubernetes-list-type",
            "x-kubernetes-list-map-keys",
            "x-kubernetes-map-type",
            "x-kubernetes-patch-merge-key",
            "x-kubernetes-patch-strategy");

    @Test
    void the_table_of_types_is_what_kubernetes_publishes() throws IOException {
        String table = HEAD
                + lines().entrySet().stream()
                        .map(line -> (line.getKey() + ":" + line.getValue()).stripTrailing() + "\n")
                        .collect(Collectors.joining());
        if (Boolean.getBoolean("sandbox.types.write")) {
            Files.writeString(RESOURCE, table);
        }

        assertThat(Files.readString(RESOURCE)).isEqualTo(table);
    }

    @Test
    void every_line_can_be_read() {
        for (String name : Type.names()) {
            Type type = Type.find(name);
            assertThat(type).isNotNull();
            assertThat(type.fields().values())
                    .allSatisfy(field -> assertThat(Type.find(field.type()) == null
                                    && field.type().contains("."))
                            .as("%s of %s", field, name)
                            .isFalse());
        }
    }

    private static Map<String, String> lines() {
        Map<String, String> lines = new TreeMap<>();
        Published.schemas().forEach((name, schema) -> {
            String type = type(name);
            if (type.contains(".")) {
                String before = lines.put(type, fields(schema));
                assertThat(before).as("of two types called %s", type).isNull();
            }
        });
        return lines;
    }

    private static String fields(JsonNode schema) {
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(each -> required.add(each.asText()));
        String mark = schema.path("x-kubernetes-map-type").asText().equals("atomic") ? "! " : " ";
        return mark
                + schema.path("properties").properties().stream()
                        .map(field -> field(field.getKey(), field.getValue(), required.contains(field.getKey())))
                        .collect(Collectors.joining("; "));
    }

    private static String field(String name, JsonNode schema, boolean required) {
        assertThat(KNOWN).as(name).containsAll(schema::fieldNames);
        List<String> words = new ArrayList<>(List.of(name));
        JsonNode value = schema;
        if (schema.has("items")) {
            value = schema.path("items");
            words.add(type(value) + "*");
        } else if (schema.has("additionalProperties")) {
            value = schema.path("additionalProperties");
            words.add(type(value) + "{}");
        } else {
            words.add(type(value));
        }
        if (required) {
            words.add("+");
        }
        if (schema.has("default")) {
            words.add("=" + schema.get("default"));
        }
        if (value.has("enum")) {
            words.add("enum(" + list(value.get("enum")) + ")");
        }
        String form = schema.path("x-kubernetes-list-type")
                .asText(schema.path("x-kubernetes-map-type").asText());
        if (!form.isEmpty()) {
            words.add(form.equals("map") ? "map(" + list(schema.get("x-kubernetes-list-map-keys")) + ")" : form);
        }
        String strategy = schema.path("x-kubernetes-patch-strategy").asText();
        Stream.of(strategy.split(",", -1)).filter(each -> !each.isEmpty()).forEach(each -> {
            boolean keyed = each.equals("merge") && schema.has("x-kubernetes-patch-merge-key");
            words.add(each
                    + (keyed ? "(" + schema.get("x-kubernetes-patch-merge-key").asText() + ")" : ""));
        });
        assertThat(words).as(name).noneMatch(word -> word.contains(" ") || word.endsWith(";"));
        return String.join(" ", words);
    }

    private static String list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(each -> each.asText().replace(' ', '~'))
                .collect(Collectors.joining(","));
    }

    private static String type(JsonNode schema) {
        JsonNode reference = schema.has("$ref")
                ? schema.get("$ref")
                : schema.path("allOf").path(0).path("$ref");
        if (reference.isTextual()) {
            return type(reference.asText().substring("#/components/schemas/".length()));
        }
        String type = schema.path("type").asText() + "/" + schema.path("format").asText();
        return switch (type) {
            case "string/" -> "s";
            case "string/byte" -> "y";
            case "integer/int32" -> "i";
            case "integer/int64" -> "l";
            case "boolean/" -> "b";
            case "number/double" -> "d";
            case "array/" -> "ExtraValue";
            default -> throw new AssertionError("no type: " + schema);
        };
    }

    /**
     * The last three parts of a name tell types apart; those whose content is written as one value are called by the
     * last.
     */
    private static String type(String name) {
        String last = name.substring(name.lastIndexOf('.') + 1);
        int start = name.length();
        for (int i = 0; i < 3; i++) {
            start = name.lastIndexOf('.', start - 1);
        }
        return switch (last) {
            case "Quantity", "IntOrString", "RawExtension", "FieldsV1", "Time", "MicroTime", "JSON" -> last;
            case "JSONSchemaPropsOrArray", "JSONSchemaPropsOrBool", "JSONSchemaPropsOrStringArray" -> last;
            default -> name.substring(start + 1);
        };
    }
}

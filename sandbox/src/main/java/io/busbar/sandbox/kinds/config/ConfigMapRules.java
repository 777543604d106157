package io.busbar.sandbox.kinds.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.Names;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of ConfigMaps. Any thread. */
public final class ConfigMapRules extends BuiltInRules {

    static final int MOST_BYTES = 1024 * 1024;

    public ConfigMapRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void check(Causes causes, ObjectNode map, @Nullable ObjectNode before, String subresource) {
        immutable(causes, map, before);
        Set<String> seen = new HashSet<>();
        long size = 0;
        for (String field : List.of("data", "binaryData")) {
            keys(causes, field, map.path(field));
            for (Map.Entry<String, JsonNode> entry : map.path(field).properties()) {
                size += bytes(entry.getValue(), field);
                if (!seen.add(entry.getKey())) {
                    causes.invalid(
                            "data[" + entry.getKey() + "]", entry.getKey(), "duplicate of key present in binaryData");
                }
            }
        }
        if (size > MOST_BYTES) {
            causes.add(FieldCause.tooLong("[]", MOST_BYTES));
        }
    }

    private static int bytes(JsonNode value, String field) {
        return field.equals("data")
                ? value.asText().getBytes(StandardCharsets.UTF_8).length
                : Base64.getDecoder().decode(value.asText()).length;
    }

    static void keys(Causes causes, String field, JsonNode data) {
        data.properties()
                .forEach(entry -> causes.invalid(
                        field + "[" + entry.getKey() + "]", entry.getKey(), Names.configKey(entry.getKey())));
    }

    /** What has said once that it never changes cannot say otherwise. */
    static void immutable(Causes causes, ObjectNode object, @Nullable ObjectNode before) {
        if (before == null || !before.path("immutable").asBoolean()) {
            return;
        }
        String words = "field is immutable when `immutable` is set";
        if (!object.path("immutable").asBoolean()) {
            causes.forbidden("immutable", words);
        }
        for (String field : List.of("data", "binaryData")) {
            if (!object.path(field).equals(before.path(field))) {
                causes.forbidden(field, words);
            }
        }
    }
}

package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Whether a schema may stand in a CustomResourceDefinition: it is structural, its defaults fit it, and it uses nothing
 * that the API server does not support.
 *
 * <p>Any thread. The rules and the words are those of apiextensions-apiserver.
 */
public final class SchemaCheck {

    /** What survives when the status has a schema of its own. */
    private static final Set<String> AT_ROOT_WITH_STATUS = Set.of(
            "description",
            "type",
            "format",
            "title",
            "maximum",
            "exclusiveMaximum",
            "minimum",
            "exclusiveMinimum",
            "maxLength",
            "minLength",
            "pattern",
            "maxItems",
            "minItems",
            "uniqueItems",
            "multipleOf",
            "required",
            "items",
            "properties",
            "externalDocs",
            "example",
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-validations");

    private SchemaCheck() {}

    /**
     * @param path of the schema in its definition
     * @param status whether there is a status subresource
     * @param defaults finds what is wrong with the defaults of a schema that is structural
     */
    public static List<FieldCause> of(
            String path, JsonNode schema, boolean status, BiFunction<String, JsonNode, List<FieldCause>> defaults) {
        Causes causes = new Causes();
        if (status) {
            checkRoot(path, schema, causes);
        }
        if (schema.path("nullable").asBoolean()) {
            causes.forbidden(path + ".nullable", "nullable cannot be true at the root");
        }
        OpenApiCheck openApi = OpenApiCheck.of(path, schema);
        if (openApi.canBeStructural()) {
            List<FieldCause> structure = StructuralCheck.of(path, schema);
            causes.addAll(structure.isEmpty() ? defaults.apply(path, schema) : structure);
        }
        return causes.addAll(openApi.causes()).list();
    }

    private static void checkRoot(String path, JsonNode schema, Causes causes) {
        String type = schema.path("type").asText("");
        if (!type.isEmpty() && !type.equals("object")) {
            causes.invalid(
                    path + ".type",
                    type,
                    "only \"object\" is allowed as the type at the root of the schema if the status subresource is enabled");
        }
        for (String field : (Iterable<String>) schema::fieldNames) {
            if (!AT_ROOT_WITH_STATUS.contains(field)) {
                causes.invalid(
                        path,
                        schema,
                        "only "
                                + AT_ROOT_WITH_STATUS.stream().sorted().toList()
                                + " fields are allowed at the root of the schema if the status subresource is enabled");
                return;
            }
        }
    }

    static String property(String path, String name) {
        return path + ".properties[" + name + "]";
    }
}

package io.busbar.blueprint.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.common.MetadataKey;
import java.util.List;
import java.util.Locale;

/** The CustomResourceDefinition of a Blueprint's kind. Any thread. */
public final class Definition {

    /** As KEP-3659 has it. */
    static final MetadataKey PARENT_TYPE = MetadataKey.label(
            "applyset.kubernetes.io/is-parent-type",
            "a definition that was made of a Blueprint",
            "set by the operator: kubectl and others take its instances for ApplySets");

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Definition() {}

    /** @param status what its expressions come to */
    public static ObjectNode of(InstanceSchema schema, JsonNode status) {
        ObjectNode definition =
                NODES.objectNode().put("apiVersion", "apiextensions.k8s.io/v1").put("kind", "CustomResourceDefinition");
        ObjectNode metadata = definition.putObject("metadata");
        metadata.put("name", schema.plural() + "." + schema.group());
        schema.metadata()
                .properties()
                .forEach(field -> metadata.set(field.getKey(), field.getValue().deepCopy()));
        metadata.withObjectProperty("labels").put(PARENT_TYPE.name(), "true");
        ObjectNode spec = definition.putObject("spec").put("group", schema.group());
        ObjectNode names = spec.putObject("names")
                .put("kind", schema.kind())
                .put("listKind", schema.kind() + "List")
                .put("plural", schema.plural())
                .put("singular", schema.kind().toLowerCase(Locale.ROOT));
        add(names, "shortNames", schema.shortNames());
        add(names, "categories", schema.categories());
        spec.put("scope", schema.namespaced() ? "Namespaced" : "Cluster");
        ObjectNode version = spec.putArray("versions")
                .addObject()
                .put("name", schema.version())
                .put("served", true)
                .put("storage", true);
        version.putObject("subresources").putObject("status");
        if (!schema.columns().isEmpty()) {
            version.set("additionalPrinterColumns", schema.columns());
        }
        version.putObject("schema").set("openAPIV3Schema", whole(schema, status));
        return definition;
    }

    private static void add(ObjectNode names, String field, List<String> values) {
        if (!values.isEmpty()) {
            values.forEach(names.putArray(field)::add);
        }
    }

    private static ObjectNode whole(InstanceSchema schema, JsonNode status) {
        ObjectNode whole = NODES.objectNode().put("type", "object");
        ObjectNode properties = whole.putObject("properties");
        properties.putObject("apiVersion").put("type", "string");
        properties.putObject("kind").put("type", "string");
        properties.putObject("metadata").put("type", "object");
        properties.set("spec", schema.spec());
        ObjectNode written = status.deepCopy();
        ObjectNode fields = written.withObjectProperty("properties");
        fields.putObject("observedGeneration").put("type", "integer").put("format", "int64");
        fields.putObject("blueprintRevision").put("type", "string");
        if (!schema.hasOwnState()) {
            fields.putObject(InstanceSchema.STATE).put("type", "string");
        }
        fields.set("conditions", conditions());
        properties.set("status", written);
        if (schema.specRequired()) {
            whole.putArray("required").add("spec");
        }
        return whole;
    }

    private static ObjectNode conditions() {
        ObjectNode conditions = NODES.objectNode().put("type", "array");
        conditions.put("x-kubernetes-list-type", "map");
        conditions.putArray("x-kubernetes-list-map-keys").add("type");
        ObjectNode condition = conditions.putObject("items").put("type", "object");
        condition.putArray("required").add("type").add("status");
        ObjectNode fields = condition.putObject("properties");
        for (String text : List.of("type", "status", "reason", "message")) {
            fields.putObject(text).put("type", "string");
        }
        fields.putObject("lastTransitionTime").put("type", "string").put("format", "date-time");
        fields.putObject("observedGeneration").put("type", "integer").put("format", "int64");
        return conditions;
    }
}

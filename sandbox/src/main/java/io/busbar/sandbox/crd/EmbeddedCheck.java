package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.metadata.MetadataValidation;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.Names;
import java.util.List;

/** What makes a resource, of one that is embedded in another. Any thread. */
final class EmbeddedCheck {

    private EmbeddedCheck() {}

    static void of(String path, JsonNode resource, Causes causes) {
        for (String field : List.of("apiVersion", "kind")) {
            JsonNode value = resource.path(field);
            String at = path + "." + field;
            if (value.isMissingNode() || value.asText("").isEmpty()) {
                causes.required(at, "");
            } else if (field.equals("kind")) {
                causes.invalid(at, value.textValue(), Names.kind(value.textValue()));
            } else if (value.textValue().chars().filter(c -> c == '/').count() > 1) {
                causes.invalid(at, value, "unexpected GroupVersion string: " + value.textValue());
            }
        }
        if (resource.path("metadata") instanceof ObjectNode metadata) {
            metadata(path + ".metadata", metadata, causes);
        }
    }

    /** Any name will do that can stand in a URL. */
    private static void metadata(String path, ObjectNode metadata, Causes causes) {
        for (String field : List.of("name", "generateName")) {
            String name = metadata.path(field).asText("");
            causes.invalid(path + "." + field, name, name.isEmpty() ? List.of() : Names.pathSegment(name));
        }
        ObjectNode shell = JsonNodeFactory.instance.objectNode();
        ObjectNode rest = shell.putObject("metadata").setAll(metadata);
        rest.put("name", "any").remove("generateName");
        for (FieldCause cause : MetadataValidation.of(shell, null)) {
            String field = path + cause.field().substring("metadata".length());
            causes.add(new FieldCause(cause.reason(), field, cause.message()));
        }
    }
}

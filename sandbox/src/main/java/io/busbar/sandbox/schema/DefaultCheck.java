package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.patch.Equality;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import java.util.List;

/** Whether defaults hold what their schema allows, and nothing that it does not know. One thread, once. */
final class DefaultCheck {

    private final Causes causes = new Causes();

    private DefaultCheck() {}

    static List<FieldCause> of(String path, JsonNode schema) {
        DefaultCheck check = new DefaultCheck();
        check.walk(path, schema);
        return check.causes.list();
    }

    private void walk(String path, JsonNode schema) {
        JsonNode standard = schema.get("default");
        if (standard != null) {
            check(path + ".default", standard, StructuralSchema.of(schema));
        }
        if (schema.path("items").isObject()) {
            walk(path + ".items", schema.path("items"));
        }
        schema.path("properties")
                .properties()
                .forEach(property -> walk(SchemaCheck.property(path, property.getKey()), property.getValue()));
    }

    private void check(String path, JsonNode standard, StructuralSchema schema) {
        if (standard.isContainerNode() && !Equality.equal(schema.pruneValue(standard), standard)) {
            causes.invalid(path, standard, "must not have unknown fields");
        }
        causes.addAll(Validation.ofValue(path, schema, standard));
    }
}

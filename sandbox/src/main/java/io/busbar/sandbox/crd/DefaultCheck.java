package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.cel.RuleSet;
import io.busbar.sandbox.patch.Equality;
import io.busbar.sandbox.schema.StructuralSchema;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.GoText;
import java.util.List;
import java.util.function.BiConsumer;

/** Whether defaults hold what their schema allows, and nothing that it does not know. Any thread. */
final class DefaultCheck {

    private DefaultCheck() {}

    /** Against the schema itself. The object as a whole is a resource, and its default has to be one. */
    @SuppressWarnings("ReferenceEquality") // The very node is the root.
    static List<FieldCause> of(String path, JsonNode schema) {
        Causes causes = new Causes();
        walk(path, schema, (at, part) -> check(at + ".default", part, part == schema, causes));
        return causes.list();
    }

    /** Against the rules of the schema, which compile. */
    @SuppressWarnings("ReferenceEquality") // The very node is the root.
    static List<FieldCause> byRules(String path, JsonNode schema) {
        Causes causes = new Causes();
        walk(
                path,
                schema,
                (at, part) -> causes.addAll(
                        RuleSet.ofDefault(part, part == schema).check(at + ".default", part.path("default"))));
        return causes.list();
    }

    private static void walk(String path, JsonNode schema, BiConsumer<String, JsonNode> found) {
        if (schema.has("default")) {
            found.accept(path, schema);
        }
        if (schema.path("items").isObject()) {
            walk(path + ".items", schema.path("items"), found);
        }
        if (schema.path("additionalProperties").isObject()) {
            walk(path + ".additionalProperties", schema.path("additionalProperties"), found);
        }
        schema.path("properties")
                .properties()
                .forEach(property -> walk(path + ".properties[" + property.getKey() + "]", property.getValue(), found));
    }

    private static void check(String path, JsonNode schema, boolean root, Causes causes) {
        JsonNode standard = schema.path("default");
        StructuralSchema structure = StructuralSchema.of(schema);
        if (standard.isContainerNode() && !Equality.equal(structure.pruneValue(standard), standard)) {
            causes.invalid(path, GoText.inOrder(standard), "must not have unknown fields");
        }
        Causes embedded = new Causes();
        if (root) {
            EmbeddedCheck.of(path, standard, embedded);
        }
        structure.embedded(path, standard, (at, resource) -> EmbeddedCheck.of(at, resource, embedded));
        causes.addAll(embedded.isEmpty() ? structure.validateAt(path, standard, null) : embedded.list());
    }
}

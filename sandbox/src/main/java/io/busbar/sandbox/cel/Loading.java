package io.busbar.sandbox.cel;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.cel.Syntax;
import io.busbar.sandbox.schema.StructuralSchema;
import java.util.Objects;

/**
 * Loads CEL ahead of the first expression, which otherwise takes half a second longer than any later one in the JVM.
 *
 * <p>Any thread; {@link #load} blocks.
 */
public final class Loading {

    /** Whether this JVM has CEL's classes by now; a matter of time, never of results. */
    private static volatile boolean done;

    private Loading() {}

    public static boolean isDone() {
        return done;
    }

    /** Compiles and evaluates a rule that takes a little of everything, and reads what is never evaluated. */
    public static void load() {
        ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
        schema.putArray("x-kubernetes-validations")
                .addObject()
                .put("rule", "self.texts.all(t, t.matches('^a') && size(t) < 9) && has(self.texts)")
                .put("messageExpression", "'no ' + string(size(self.texts))");
        ObjectNode texts = schema.putObject("properties").putObject("texts").put("type", "array");
        texts.putObject("items").put("type", "string");
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.putArray("texts").add("b");
        SchemaRuleCheck.of("schema", schema, true);
        Objects.requireNonNull(RuleSet.of(schema, StructuralSchema.of(schema))).check(object, null);
        Syntax.parse("a || b");
        done = true;
    }
}

package io.busbar.sandbox.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import io.busbar.cel.CompilationException;
import io.busbar.cel.Environment;
import io.busbar.cel.Expression;
import io.busbar.cel.SchemaTypes;
import java.util.Map;
import java.util.Optional;

/**
 * Compiles the rules of one schema, whose value is {@code self}.
 *
 * <p>One thread.
 */
final class RuleCompiler {

    private final SchemaTypes types = new SchemaTypes();
    private final Optional<CelType> self;
    private final SchemaSizes sizes;

    /** @param resource whether the value is an object with apiVersion, kind and metadata */
    RuleCompiler(JsonNode schema, boolean resource) {
        this.self = types.add(schema, resource);
        this.sizes = new SchemaSizes(schema, resource);
    }

    /** How large the values are that the rules are about. */
    SchemaSizes sizes() {
        return sizes;
    }

    /** @throws CompilationException when it is wrong */
    Expression rule(SchemaRule rule) {
        return environment(rule).compile(rule.rule(), SimpleType.BOOL, "cel expression must evaluate to a bool");
    }

    /** @throws CompilationException when it is wrong */
    Expression message(SchemaRule rule) {
        try {
            return environment(rule)
                    .compile(
                            rule.messageExpression(), SimpleType.STRING, "messageExpression must evaluate to a string");
        } catch (CompilationException e) {
            String words = String.valueOf(e.getMessage());
            throw new CompilationException(
                    words.startsWith("compilation failed") ? "messageExpression " + words : words);
        }
    }

    private Environment environment(SchemaRule rule) {
        CelType type = self.orElseThrow(
                () -> new CompilationException("rule declared on schema that does not support validation rules type"));
        return new Environment(
                ServerFunctions.DIALECT,
                types.provider(),
                Map.of("self", type, "oldSelf", rule.optionalOldSelf() ? OptionalType.create(type) : type));
    }
}

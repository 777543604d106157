package io.busbar.blueprint.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import io.busbar.blueprint.source.Shown;
import io.busbar.cel.CompilationException;
import io.busbar.cel.CompilationException.Flaw;
import io.busbar.cel.Dialect;
import io.busbar.cel.Environment;
import io.busbar.cel.KubernetesLibrary;
import io.busbar.cel.SchemaTypes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Whether a rule in CEL can be about the values of a schema, as far as it can be told without an API server: what the
 * rule calls that only an API server has is left to that one, and so is what the rule costs.
 *
 * <p>Any thread.
 */
final class FieldRules {

    private static final Dialect DIALECT = Dialect.of(new KubernetesLibrary());
    private static final Pattern OF_API_SERVERS = Pattern.compile("undeclared reference to 'format'.*");

    private FieldRules() {}

    /** What is wrong with a rule; nothing for one that is right. */
    static List<String> flaws(String rule, JsonNode schema) {
        if (rule.isBlank()) {
            return List.of("the rule is empty");
        }
        SchemaTypes types = new SchemaTypes();
        Optional<CelType> self = types.add(schema, false);
        if (self.isEmpty()) {
            return List.of("there can be no rule about values of any type");
        }
        Environment environment =
                new Environment(DIALECT, types.provider(), Map.of("self", self.get(), "oldSelf", self.get()));
        try {
            environment.compile(rule, SimpleType.BOOL, "must evaluate to a bool");
            return List.of();
        } catch (CompilationException e) {
            List<String> found = e.flaws().stream().map(Flaw::message).toList();
            return found.stream().anyMatch(flaw -> OF_API_SERVERS.matcher(flaw).matches())
                    ? List.of()
                    : found.stream()
                            .map(flaw -> Shown.quoted(rule) + ": " + flaw)
                            .toList();
        } catch (StackOverflowError e) {
            return List.of("the rule is nested too deeply");
        }
    }
}

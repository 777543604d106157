package io.busbar.sandbox.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.NullValue;
import io.busbar.sandbox.cel.Expression.Outcome;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.syntax.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The {@code matchConditions} of a webhook: it is called for what all of them are true of.
 *
 * <p>Any thread. They see {@code object}, {@code oldObject} and {@code request}.
 */
public final class MatchConditions {

    /** Those of a webhook without any. */
    public static final MatchConditions NONE = new MatchConditions(List.of());

    private static final int MOST = 64;

    private record Condition(String text, Expression expression) {}

    /** What conditions come to: errors count only when no condition is false. */
    public record Verdict(boolean matches, List<String> errors) {}

    private final List<Condition> conditions;

    private MatchConditions(List<Condition> conditions) {
        this.conditions = List.copyOf(conditions);
    }

    /** Those of a valid configuration; one that does not compile after all is always true. */
    public static MatchConditions of(JsonNode conditions) {
        if (conditions.isEmpty()) {
            return NONE;
        }
        List<Condition> compiled = new ArrayList<>();
        conditions.forEach(
                condition -> compiled(condition.path("expression").asText("")).ifPresent(compiled::add));
        return new MatchConditions(compiled);
    }

    private static Optional<Condition> compiled(String text) {
        try {
            return Optional.of(new Condition(text, compile(text)));
        } catch (CompilationException e) {
            return Optional.empty();
        }
    }

    /** What is wrong with the conditions at a path of a configuration. */
    public static void check(Causes causes, String path, JsonNode conditions) {
        if (conditions.size() > MOST) {
            causes.invalid(path, conditions, "must have at most " + MOST + " items");
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < conditions.size(); i++) {
            JsonNode condition = conditions.path(i);
            String at = path + "[" + i + "]";
            expression(
                    causes,
                    at + ".expression",
                    condition.path("expression").asText("").strip());
            String name = condition.path("name").asText("");
            if (name.isEmpty()) {
                causes.required(at + ".name", "");
            } else {
                causes.invalid(at, name, Names.qualifiedName(name));
                if (!names.add(name)) {
                    causes.duplicate(at + ".name", condition.path("name"));
                }
            }
        }
    }

    private static void expression(Causes causes, String path, String text) {
        if (text.isEmpty()) {
            causes.required(path, "");
            return;
        }
        try {
            compile(text);
        } catch (CompilationException e) {
            causes.invalid(path, text, String.valueOf(e.getMessage()));
        }
    }

    private static Expression compile(String text) {
        return new Environment(
                        new SchemaTypes().provider(),
                        Map.of("object", SimpleType.DYN, "oldObject", SimpleType.DYN, "request", SimpleType.DYN))
                .compile(text, SimpleType.BOOL, "must evaluate to bool");
    }

    /**
     * @param request the {@code request} of an AdmissionReview
     * @param object null for a deletion
     * @param before null for a creation
     */
    public Verdict judge(JsonNode request, @Nullable ObjectNode object, @Nullable ObjectNode before) {
        if (conditions.isEmpty()) {
            return new Verdict(true, List.of());
        }
        Map<String, Object> variables = new HashMap<>();
        variables.put("object", object == null ? NullValue.NULL_VALUE : SchemaValues.of(object));
        variables.put("oldObject", before == null ? NullValue.NULL_VALUE : SchemaValues.of(before));
        variables.put("request", SchemaValues.of(request));
        List<String> errors = new ArrayList<>();
        Budget budget = new Budget(Budget.OF_OBJECT);
        for (Condition condition : conditions) {
            Outcome outcome = condition.expression().evaluate(variables, budget);
            if (outcome.failed()) {
                errors.add("expression '" + condition.text() + "' resulted in error: " + outcome.error());
            } else if (!Boolean.TRUE.equals(outcome.value())) {
                return new Verdict(false, List.of());
            }
        }
        return new Verdict(true, errors);
    }
}

package io.busbar.sandbox.cel;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.cel.CompilationException;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The {@code matchConditions} of a webhook or a policy: it is asked about what all of them are true of.
 *
 * <p>Any thread.
 */
public final class MatchConditions {

    /** Those of a webhook without any. */
    public static final MatchConditions NONE = new MatchConditions(List.of());

    private static final int MOST = 64;

    /** What conditions come to: errors count only when no condition is false. */
    public record Verdict(boolean matches, List<String> errors) {

        /** All errors; empty for none. */
        public String error() {
            return errors.size() > 1 ? "[" + String.join(", ", errors) + "]" : String.join("", errors);
        }
    }

    private final List<AdmissionExpression> conditions;

    private MatchConditions(List<AdmissionExpression> conditions) {
        this.conditions = List.copyOf(conditions);
    }

    /** Those of a valid webhook. */
    public static MatchConditions of(JsonNode conditions) {
        return of(conditions, false);
    }

    /**
     * Those of a valid configuration; one that does not compile after all is always true.
     *
     * @param params whether there can be parameters
     */
    public static MatchConditions of(JsonNode conditions, boolean params) {
        if (conditions.isEmpty()) {
            return NONE;
        }
        List<AdmissionExpression> compiled = new ArrayList<>();
        for (JsonNode condition : conditions) {
            try {
                compiled.add(compile(condition.path("expression").asText(""), params));
            } catch (CompilationException e) {
                // It is in no configuration but one that an earlier sandbox has kept.
            }
        }
        return new MatchConditions(compiled);
    }

    /** What is wrong with the conditions at a path of a webhook. */
    public static void check(Causes causes, String path, JsonNode conditions) {
        check(causes, path, conditions, false);
    }

    /** @param params whether there can be parameters */
    public static void check(Causes causes, String path, JsonNode conditions, boolean params) {
        if (conditions.size() > MOST) {
            causes.add(new FieldCause(
                    "FieldValueTooMany",
                    path,
                    "Too many: " + conditions.size() + ": must have at most " + MOST + " items"));
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < conditions.size(); i++) {
            JsonNode condition = conditions.path(i);
            String at = path + "[" + i + "]";
            String text = condition.path("expression").asText("").strip();
            if (text.isEmpty()) {
                causes.required(at + ".expression", "");
            } else {
                try {
                    compile(text, params);
                } catch (CompilationException e) {
                    causes.invalid(at + ".expression", text, String.valueOf(e.getMessage()));
                }
            }
            String name = condition.path("name").asText("");
            if (name.isEmpty()) {
                causes.required(at + ".name", "");
            } else {
                causes.invalid(at + ".name", name, Names.qualifiedName(name));
                if (!names.add(name)) {
                    causes.duplicate(at + ".name", condition.path("name"));
                }
            }
        }
    }

    private static AdmissionExpression compile(String text, boolean params) {
        return new AdmissionCompiler(params).compile(text, AdmissionCompiler.Result.BOOL, true);
    }

    public boolean isEmpty() {
        return conditions.isEmpty();
    }

    public Verdict judge(AdmissionInput input) {
        List<String> errors = new ArrayList<>();
        for (AdmissionExpression condition : conditions) {
            AdmissionExpression.Result result = condition.evaluate(input);
            if (!result.error().isEmpty()) {
                errors.add(result.error());
            } else if (!result.isTrue()) {
                return new Verdict(false, List.of());
            }
        }
        return new Verdict(true, errors);
    }
}

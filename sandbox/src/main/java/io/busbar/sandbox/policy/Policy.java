package io.busbar.sandbox.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.cel.CompilationException;
import io.busbar.sandbox.admission.Matching;
import io.busbar.sandbox.cel.AdmissionCompiler;
import io.busbar.sandbox.cel.AdmissionCompiler.Result;
import io.busbar.sandbox.cel.AdmissionExpression;
import io.busbar.sandbox.cel.MatchConditions;
import io.busbar.sandbox.storage.Metadata;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A policy that is in force, with its bindings.
 *
 * <p>Immutable.
 *
 * @param paramKind missing for none
 * @param broken why none of it can be asked; empty for nothing
 */
record Policy(
        String name,
        Matching matching,
        MatchConditions conditions,
        JsonNode paramKind,
        boolean ignoresFailures,
        boolean reinvoked,
        List<Validation> validations,
        List<AdmissionExpression> annotations,
        List<Mutation> mutations,
        List<Binding> bindings,
        String broken) {

    /** @param messageExpression null for none */
    record Validation(
            AdmissionExpression expression,
            @Nullable AdmissionExpression messageExpression,
            String message,
            String reason) {}

    /** @param patch whether it is a JSON patch, and no apply configuration */
    record Mutation(AdmissionExpression expression, boolean patch) {}

    /**
     * @param matching null for all that the policy is about
     * @param paramRef missing for none
     */
    record Binding(String name, @Nullable Matching matching, JsonNode paramRef, List<String> actions) {

        static Binding of(ObjectNode object) {
            JsonNode spec = object.path("spec");
            List<String> actions = new ArrayList<>();
            spec.path("validationActions").forEach(action -> actions.add(action.asText()));
            return new Binding(
                    Metadata.of(object).name(),
                    spec.path("matchResources").isObject() ? Matching.ofPolicy(spec.path("matchResources")) : null,
                    spec.path("paramRef"),
                    List.copyOf(actions));
        }
    }

    static Policy of(ObjectNode object, List<Binding> bindings) {
        JsonNode spec = object.path("spec");
        boolean params = spec.hasNonNull("paramKind");
        AdmissionCompiler compiler = new AdmissionCompiler(params);
        List<Validation> validations = new ArrayList<>();
        List<AdmissionExpression> annotations = new ArrayList<>();
        List<Mutation> mutations = new ArrayList<>();
        String broken = "";
        try {
            for (JsonNode variable : spec.path("variables")) {
                compiler.declare(
                        variable.path("name").asText(),
                        variable.path("expression").asText());
            }
            for (JsonNode validation : spec.path("validations")) {
                validations.add(validation(compiler, validation));
            }
            for (JsonNode annotation : spec.path("auditAnnotations")) {
                String text = annotation.path("valueExpression").asText().strip();
                annotations.add(compiler.compile(text, Result.TEXT_OR_NULL, true));
            }
            for (JsonNode mutation : spec.path("mutations")) {
                boolean patch = mutation.path("patchType").asText().equals("JSONPatch");
                JsonNode text = mutation.path(patch ? "jsonPatch" : "applyConfiguration")
                        .path("expression");
                mutations.add(new Mutation(
                        compiler.compile(text.asText(), patch ? Result.PATCHES : Result.OBJECT, true), patch));
            }
        } catch (CompilationException e) {
            broken = String.valueOf(e.getMessage());
        }
        return new Policy(
                Metadata.of(object).name(),
                Matching.ofPolicy(spec.path("matchConstraints")),
                MatchConditions.of(spec.path("matchConditions"), params),
                spec.path("paramKind"),
                spec.path("failurePolicy").asText().equals("Ignore"),
                spec.path("reinvocationPolicy").asText().equals("IfNeeded"),
                List.copyOf(validations),
                List.copyOf(annotations),
                List.copyOf(mutations),
                bindings,
                broken);
    }

    private static Validation validation(AdmissionCompiler compiler, JsonNode validation) {
        String message = validation.path("messageExpression").asText();
        return new Validation(
                compiler.compile(validation.path("expression").asText(), Result.BOOL, true),
                message.isBlank() ? null : compiler.compile(message, Result.TEXT, false),
                validation.path("message").asText().strip(),
                validation.path("reason").asText("Invalid"));
    }

    Policy bound(List<Binding> others) {
        return new Policy(
                name,
                matching,
                conditions,
                paramKind,
                ignoresFailures,
                reinvoked,
                validations,
                annotations,
                mutations,
                others,
                broken);
    }
}

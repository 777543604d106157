package io.busbar.sandbox.policy;

import io.busbar.cel.CompilationException;
import io.busbar.cel.FieldNames;
import io.busbar.sandbox.cel.AdmissionCompiler;
import io.busbar.sandbox.cel.AdmissionCompiler.Result;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is wrong with the expressions of a policy's spec: variables, and what is made of them.
 *
 * <p>One thread, once. The rules, their order and the words are those of
 * {@code pkg/apis/admissionregistration/validation}.
 */
final class ExpressionCheck {

    private static final int MOST_ANNOTATIONS = 20;
    private static final int LONGEST_EXPRESSION = 5 * 1024;
    private static final List<String> REASONS = List.of("Forbidden", "Invalid", "RequestEntityTooLarge");
    private static final List<String> PATCHES = List.of("ApplyConfiguration", "JSONPatch");
    private static final String IDENTIFIER = "[_a-zA-Z][_a-zA-Z0-9]*";

    private final Place spec;
    private final AdmissionCompiler compiler;

    ExpressionCheck(Place spec) {
        this.spec = spec;
        this.compiler = new AdmissionCompiler(spec.value().hasNonNull("paramKind"));
        spec.each("variables").forEach(this::variable);
    }

    private void variable(Place variable) {
        String called = variable.text("name");
        Place name = variable.field("name");
        if (called.isBlank()) {
            name.required("name is not specified");
        } else if (!called.matches(IDENTIFIER) || FieldNames.RESERVED.contains(called)) {
            name.invalid("must be a valid CEL identifier");
        }
        String text = variable.text("expression");
        Place expression = variable.field("expression");
        if (text.isBlank()) {
            expression.required("expression is not specified");
            return;
        }
        try {
            compiler.declare(called, text);
        } catch (CompilationException e) {
            expression.invalid(String.valueOf(e.getMessage()));
        }
    }

    void validations() {
        Place annotations = spec.field("auditAnnotations");
        if (spec.field("validations").isBlank() && annotations.isBlank()) {
            String words = "validations or auditAnnotations must contain at least one item";
            annotations.required(words);
            spec.field("validations").required(words);
            return;
        }
        spec.each("validations").forEach(this::validation);
        if (annotations.value().size() > MOST_ANNOTATIONS) {
            annotations.invalid("must not have more than " + MOST_ANNOTATIONS + " auditAnnotations");
        }
        Set<String> keys = new HashSet<>();
        for (Place annotation : annotations.each()) {
            annotation(annotation, annotation.field("key"), annotation.text("key"));
            if (!keys.add(annotation.text("key"))) {
                annotation.field("key").duplicate();
            }
        }
    }

    private void validation(Place validation) {
        expression(validation.field("expression"), Result.BOOL, true, "expression is not specified");
        Place messageExpression = validation.field("messageExpression");
        if (!messageExpression.isBlank() && messageExpression.value().asText().isBlank()) {
            messageExpression.invalid("must be non-empty if specified");
        } else if (!messageExpression.isBlank()) {
            expression(messageExpression, Result.TEXT, false, "");
        }
        Place message = validation.field("message");
        String text = message.value().asText();
        if (!text.isEmpty() && text.isBlank()) {
            message.invalid("must be non-empty if specified");
        } else if (text.strip().contains("\n") || text.strip().contains("\r")) {
            message.invalid("must not contain line breaks");
        }
        if (validation.value().has("reason") && !REASONS.contains(validation.text("reason"))) {
            validation.field("reason").unsupported(REASONS);
        }
    }

    private void annotation(Place annotation, Place key, String name) {
        String policy = spec.root().value().at("/metadata/name").asText();
        if (policy.isEmpty()) {
            key.invalid(GoText.quote(name), "requires metadata.name be non-empty");
        } else {
            key.invalid(GoText.quote(policy + "/" + name), Names.qualifiedName(policy + "/" + name));
        }
        Place value = annotation.field("valueExpression");
        if (value.value().asText().strip().length() > LONGEST_EXPRESSION) {
            value.required("must not exceed " + LONGEST_EXPRESSION + " bytes in length");
        } else {
            expression(value, Result.TEXT_OR_NULL, true, "valueExpression is not specified");
        }
    }

    void mutations() {
        if (spec.field("mutations").isBlank()) {
            spec.field("mutations").required("mutations must contain at least one item");
        }
        spec.each("mutations").forEach(this::mutation);
    }

    private void mutation(Place mutation) {
        String type = mutation.text("patchType");
        Place patchType = mutation.field("patchType");
        if (patchType.isBlank()) {
            patchType.required();
            return;
        }
        if (!PATCHES.contains(type)) {
            patchType.unsupported(PATCHES);
            return;
        }
        boolean patch = type.equals("JSONPatch");
        Place meant = mutation.field(patch ? "jsonPatch" : "applyConfiguration");
        String other = patch ? "applyConfiguration" : "jsonPatch";
        if (meant.value().isObject()) {
            expression(meant.field("expression"), patch ? Result.PATCHES : Result.OBJECT, true, "");
        } else {
            meant.required("must be specified when patchType is " + type);
        }
        if (mutation.value().has(other)) {
            mutation.field(other)
                    .invalid(GoText.quote("{" + other + "}"), "must not be specified when patchType is " + type);
        }
    }

    private void expression(Place place, Result result, boolean authorizer, String absent) {
        String text = place.value().asText();
        if (text.isBlank()) {
            place.required(absent);
            return;
        }
        String written = result == Result.PATCHES || result == Result.OBJECT ? text.strip() : text;
        try {
            compiler.compile(written, result, authorizer);
        } catch (CompilationException e) {
            place.invalid(GoText.quote(written), String.valueOf(e.getMessage()));
        }
    }
}

package io.busbar.sandbox.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.sandbox.admission.RuleCheck;
import io.busbar.sandbox.cel.AdmissionCompiler;
import io.busbar.sandbox.cel.AdmissionCompiler.Result;
import io.busbar.sandbox.cel.CompilationException;
import io.busbar.sandbox.cel.MatchConditions;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.syntax.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What is wrong with a policy or a binding.
 *
 * <p>One thread, once. The rules, their order and the words are those of {@code pkg/apis/admissionregistration/validation}.
 */
final class PolicyCheck {

    private static final int MOST_ANNOTATIONS = 20;
    private static final int LONGEST_EXPRESSION = 5 * 1024;
    private static final List<String> FAILURES = List.of("Fail", "Ignore");
    private static final List<String> REASONS = List.of("Forbidden", "Invalid", "RequestEntityTooLarge");
    private static final List<String> MUTATED = List.of("*", "CONNECT", "CREATE", "UPDATE");
    private static final String IDENTIFIER = "[_a-zA-Z][_a-zA-Z0-9]*";
    private static final Set<String> RESERVED = Set.of(
            ("true false null in as break const continue else for function if import let loop package namespace return var void"
                            + " while")
                    .split(" "));

    private final Causes causes;
    private final String name;
    private final JsonNode spec;
    private final boolean params;
    private final AdmissionCompiler compiler;

    PolicyCheck(Causes causes, String name, JsonNode spec) {
        this.causes = causes;
        this.name = name;
        this.spec = spec;
        this.params = spec.hasNonNull("paramKind");
        this.compiler = new AdmissionCompiler(params);
    }

    void check(String kind) {
        switch (kind) {
            case "ValidatingAdmissionPolicy" -> {
                policy(false);
                validations();
            }
            case "MutatingAdmissionPolicy" -> {
                policy(true);
                mutations();
            }
            case "ValidatingAdmissionPolicyBinding" -> {
                binding(false);
                actions(spec.path("validationActions"));
            }
            default -> binding(true);
        }
    }

    private void policy(boolean mutates) {
        oneOf("spec.failurePolicy", spec.path("failurePolicy"), FAILURES);
        if (params) {
            paramKind("spec.paramKind", spec.path("paramKind"));
        }
        JsonNode constraints = spec.path("matchConstraints");
        if (constraints.isMissingNode()) {
            causes.required("spec.matchConstraints", "");
        } else {
            matches("spec.matchConstraints", constraints);
            if (constraints.path("resourceRules").isEmpty()) {
                causes.required("spec.matchConstraints.resourceRules", "");
            }
            operations("spec.matchConstraints", constraints, mutates);
        }
        MatchConditions.check(causes, "spec.matchConditions", spec.path("matchConditions"), params);
        for (int i = 0; i < spec.path("variables").size(); i++) {
            variable("spec.variables[" + i + "]", spec.path("variables").path(i));
        }
    }

    private void operations(String path, JsonNode resources, boolean mutates) {
        for (JsonNode rule : mutates ? resources.path("resourceRules") : resources.path("")) {
            for (JsonNode operation : rule.path("operations")) {
                if (!MUTATED.contains(operation.asText())) {
                    causes.unsupported(path + ".resourceRules.operations", operation, MUTATED);
                }
            }
        }
    }

    private void paramKind(String path, JsonNode kind) {
        String apiVersion = kind.path("apiVersion").asText();
        String[] parts = apiVersion.split("/", -1);
        if (apiVersion.isEmpty()) {
            causes.required(path + ".apiVersion", "");
        } else if (parts.length > 2) {
            causes.invalid(path + ".apiVersion", apiVersion, "unexpected GroupVersion string: " + apiVersion);
        } else {
            String group = parts.length == 2 ? parts[0] : "";
            String version = parts[parts.length - 1];
            if (!group.isEmpty()) {
                joined(path + ".apiVersion", group, "", Names.dnsSubdomain(group));
            }
            if (version.isEmpty()) {
                causes.invalid(path + ".apiVersion", apiVersion, "version must be specified");
            } else {
                joined(path + ".apiVersion", version, "", Names.dns1035Label(version));
            }
        }
        String name = kind.path("kind").asText();
        if (name.isEmpty()) {
            causes.required(path + ".kind", "");
        } else {
            joined(
                    path + ".kind",
                    name,
                    "may have mixed case, but should otherwise match: ",
                    Names.dns1035Label(name.toLowerCase(Locale.ROOT)));
        }
    }

    private void joined(String path, String value, String before, List<String> complaints) {
        if (!complaints.isEmpty()) {
            causes.invalid(path, value, before + String.join(",", complaints));
        }
    }

    private void matches(String path, JsonNode resources) {
        oneOf(path + ".matchPolicy", resources.path("matchPolicy"), List.of("Equivalent", "Exact"));
        for (String list : List.of("resourceRules", "excludeResourceRules")) {
            for (int i = 0; i < resources.path(list).size(); i++) {
                rule(path + "." + list + "[" + i + "]", resources.path(list).path(i));
            }
        }
    }

    private void rule(String path, JsonNode rule) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < rule.path("resourceNames").size(); i++) {
            JsonNode named = rule.path("resourceNames").path(i);
            causes.invalid(path + ".resourceNames[" + i + "]", named.asText(), Names.pathSegment(named.asText()));
            if (!names.add(named.asText())) {
                causes.duplicate(path + ".resourceNames[" + i + "]", named);
            }
        }
        causes.addAll(RuleCheck.of(path, rule));
    }

    private void variable(String path, JsonNode variable) {
        String called = variable.path("name").asText();
        if (called.isBlank()) {
            causes.required(path + ".name", "name is not specified");
        } else if (!called.matches(IDENTIFIER) || RESERVED.contains(called)) {
            causes.invalid(path + ".name", called, "must be a valid CEL identifier");
        }
        String text = variable.path("expression").asText();
        if (text.isBlank()) {
            causes.required(path + ".expression", "expression is not specified");
            return;
        }
        try {
            compiler.declare(called, text);
        } catch (CompilationException e) {
            causes.invalid(path + ".expression", text, String.valueOf(e.getMessage()));
        }
    }

    private void validations() {
        JsonNode validations = spec.path("validations");
        JsonNode annotations = spec.path("auditAnnotations");
        if (validations.isEmpty() && annotations.isEmpty()) {
            String words = "validations or auditAnnotations must contain at least one item";
            causes.required("spec.auditAnnotations", words).required("spec.validations", words);
            return;
        }
        for (int i = 0; i < validations.size(); i++) {
            validation("spec.validations[" + i + "]", validations.path(i));
        }
        if (annotations.size() > MOST_ANNOTATIONS) {
            causes.invalid(
                    "spec.auditAnnotations",
                    annotations,
                    "must not have more than " + MOST_ANNOTATIONS + " auditAnnotations");
        }
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < annotations.size(); i++) {
            JsonNode key = annotations.path(i).path("key");
            annotation("spec.auditAnnotations[" + i + "]", key.asText(), annotations.path(i));
            if (!keys.add(key.asText())) {
                causes.duplicate("spec.auditAnnotations[" + i + "].key", key);
            }
        }
    }

    private void validation(String path, JsonNode validation) {
        expression(
                path + ".expression", validation.path("expression"), Result.BOOL, true, "expression is not specified");
        JsonNode messageExpression = validation.path("messageExpression");
        if (!messageExpression.asText().isEmpty() && messageExpression.asText().isBlank()) {
            causes.invalid(path + ".messageExpression", messageExpression, "must be non-empty if specified");
        } else if (!messageExpression.asText().isEmpty()) {
            expression(path + ".messageExpression", messageExpression, Result.TEXT, false, "");
        }
        String message = validation.path("message").asText();
        if (!message.isEmpty() && message.isBlank()) {
            causes.invalid(path + ".message", message, "must be non-empty if specified");
        } else if (message.strip().contains("\n") || message.strip().contains("\r")) {
            causes.invalid(path + ".message", message, "must not contain line breaks");
        }
        if (validation.has("reason")
                && !REASONS.contains(validation.path("reason").asText())) {
            causes.unsupported(path + ".reason", validation.path("reason"), REASONS);
        }
    }

    private void annotation(String path, String key, JsonNode annotation) {
        if (name.isEmpty()) {
            causes.invalid(path + ".key", key, "requires metadata.name be non-empty");
        } else {
            causes.invalid(path + ".key", name + "/" + key, Names.qualifiedName(name + "/" + key));
        }
        JsonNode value = annotation.path("valueExpression");
        if (value.asText().strip().length() > LONGEST_EXPRESSION) {
            causes.required(path + ".valueExpression", "must not exceed " + LONGEST_EXPRESSION + " bytes in length");
        } else {
            expression(path + ".valueExpression", value, Result.TEXT_OR_NULL, true, "valueExpression is not specified");
        }
    }

    private void mutations() {
        JsonNode mutations = spec.path("mutations");
        if (mutations.isEmpty()) {
            causes.required("spec.mutations", "mutations must contain at least one item");
        }
        for (int i = 0; i < mutations.size(); i++) {
            mutation("spec.mutations[" + i + "]", mutations.path(i));
        }
        oneOf("spec.reinvocationPolicy", spec.path("reinvocationPolicy"), List.of("Never", "IfNeeded"));
    }

    private void mutation(String path, JsonNode mutation) {
        String type = mutation.path("patchType").asText();
        List<String> known = List.of("ApplyConfiguration", "JSONPatch");
        oneOf(path + ".patchType", mutation.path("patchType"), known);
        if (!known.contains(type)) {
            return;
        }
        String meant = type.equals("JSONPatch") ? "jsonPatch" : "applyConfiguration";
        String other = type.equals("JSONPatch") ? "applyConfiguration" : "jsonPatch";
        if (mutation.has(meant)) {
            expression(
                    path + "." + meant + ".expression",
                    TextNode.valueOf(
                            mutation.path(meant).path("expression").asText().strip()),
                    type.equals("JSONPatch") ? Result.PATCHES : Result.OBJECT,
                    true,
                    "");
        } else {
            causes.required(path + "." + meant, "must be specified when patchType is " + type);
        }
        if (mutation.has(other)) {
            causes.invalid(path + "." + other, "{" + other + "}", "must not be specified when patchType is " + type);
        }
    }

    private void expression(String path, JsonNode text, Result result, boolean authorizer, String absent) {
        if (text.asText().isBlank()) {
            causes.required(path, absent);
            return;
        }
        try {
            compiler.compile(text.asText(), result, authorizer);
        } catch (CompilationException e) {
            causes.invalid(path, text, String.valueOf(e.getMessage()));
        }
    }

    private void binding(boolean mutates) {
        String policy = spec.path("policyName").asText();
        if (policy.isEmpty()) {
            causes.required("spec.policyName", "");
        } else {
            causes.invalid("spec.policyName", policy, Names.dnsSubdomain(policy));
        }
        if (spec.hasNonNull("paramRef")) {
            paramRef("spec.paramRef", spec.path("paramRef"));
        }
        JsonNode resources = spec.path("matchResources");
        if (resources.isObject()) {
            matches("spec.matchResources", resources);
            operations("spec.matchResources", resources, mutates);
        }
    }

    private void paramRef(String path, JsonNode reference) {
        String named = reference.path("name").asText();
        boolean selects = reference.hasNonNull("selector");
        String both = "name and selector are mutually exclusive";
        if (!named.isEmpty()) {
            causes.invalid(path + ".name", named, Names.pathSegment(named));
            if (selects) {
                causes.forbidden(path + ".name", both);
            }
        }
        if (selects && !named.isEmpty()) {
            causes.forbidden(path + ".selector", both);
        }
        if (named.isEmpty() && !selects) {
            causes.required(path, "one of name or selector must be specified");
        }
        oneOf(path + ".parameterNotFoundAction", reference.path("parameterNotFoundAction"), List.of("Deny", "Allow"));
    }

    private void actions(JsonNode actions) {
        List<String> known = List.of("Audit", "Deny", "Warn");
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < actions.size(); i++) {
            JsonNode action = actions.path(i);
            if (!known.contains(action.asText())) {
                causes.unsupported("spec.validationActions[" + i + "]", action, known);
            }
            if (!seen.add(action.asText())) {
                causes.duplicate("spec.validationActions[" + i + "]", action);
            }
        }
        if (seen.containsAll(Set.of("Deny", "Warn"))) {
            causes.invalid(
                    "spec.validationActions",
                    actions,
                    "must not contain both Deny and Warn (repeating the same validation failure information in the API"
                            + " response and headers serves no purpose)");
        }
        if (seen.isEmpty()) {
            causes.required("spec.validationActions", "at least one validation action is required");
        }
    }

    private void oneOf(String path, JsonNode value, List<String> allowed) {
        if (value.asText("").isEmpty()) {
            causes.required(path, "");
        } else if (!allowed.contains(value.asText())) {
            causes.unsupported(path, value, allowed);
        }
    }
}

package io.busbar.sandbox.policy;

import io.busbar.sandbox.admission.AdmissionAttributes;
import io.busbar.sandbox.cel.AdmissionExpression;
import io.busbar.sandbox.cel.AdmissionInput;
import io.busbar.sandbox.cel.MatchConditions;
import io.busbar.sandbox.policy.Policy.Binding;
import io.busbar.sandbox.policy.Policy.Validation;
import io.busbar.sandbox.policy.PolicyChain.Sight;
import java.util.ArrayList;
import java.util.List;

/**
 * What a policy has against a write.
 *
 * <p>One thread, for one write.
 */
record Validator(Policy policy, AdmissionAttributes attributes) {

    private static final int LONGEST_MESSAGE = 5 * 1024;

    /** Those by which the write is refused; what is only worth a warning is told right away. */
    List<Refusal> refusals(Binding binding, Sight sight) {
        List<Refusal> found = new ArrayList<>();
        AdmissionInput input = sight.input();
        MatchConditions.Verdict verdict = policy.conditions().judge(input);
        boolean meant = verdict.matches() && verdict.errors().isEmpty();
        fail(found, binding, verdict.error());
        if (meant) {
            policy.validations().forEach(validation -> judge(found, binding, validation, input));
        }
        List<Refusal> denied = new ArrayList<>();
        for (Refusal refusal : found) {
            for (String action : binding.actions()) {
                if (action.equals("Deny")) {
                    denied.add(refusal);
                } else if (action.equals("Warn")) {
                    attributes
                            .options()
                            .warnings()
                            .accept("Validation failed for ValidatingAdmissionPolicy '" + policy.name()
                                    + "' with binding '" + binding.name() + "': " + refusal.message());
                }
            }
        }
        if (meant) {
            policy.annotations()
                    .forEach(annotation ->
                            fail(denied, binding, annotation.evaluate(input).error()));
        }
        return denied;
    }

    private void fail(List<Refusal> refusals, Binding binding, String error) {
        if (!error.isEmpty() && !policy.ignoresFailures()) {
            refusals.add(new Refusal(policy, binding, "", error));
        }
    }

    private void judge(List<Refusal> refusals, Binding binding, Validation validation, AdmissionInput input) {
        AdmissionExpression.Result result = validation.expression().evaluate(input);
        if (!result.error().isEmpty()) {
            fail(refusals, binding, result.error());
        } else if (!result.isTrue()) {
            refusals.add(new Refusal(policy, binding, validation.reason(), message(validation, input)));
        }
    }

    /** A message that cannot be made gives way to the plain one, and that to the expression. */
    private static String message(Validation validation, AdmissionInput input) {
        AdmissionExpression expression = validation.messageExpression();
        String made =
                expression == null ? "" : expression.evaluate(input).text().strip();
        if (!made.isEmpty() && !made.contains("\n") && made.length() <= LONGEST_MESSAGE) {
            return made;
        }
        return validation.message().isEmpty()
                ? "failed expression: " + validation.expression().source().strip()
                : validation.message();
    }
}

package io.busbar.operator.podbugger;

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.FieldProblem;
import io.busbar.admission.Validator;
import io.busbar.admission.Verdict;
import io.busbar.operator.podbugger.v1beta1.Podbuggertool;
import io.busbar.operator.podbugger.v1beta1.PodbuggertoolSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Refuses labels that no Pod can have, and changes that could not reach the Pods that have the container already: of
 * its label, target and command. Another image makes another container. Any thread.
 */
final class PodbuggertoolValidator implements Validator<Podbuggertool> {

    private static final String IMMUTABLE =
            "cannot be changed: what is in a Pod stays as it is; make another Podbuggertool";

    @Override
    public Verdict create(Podbuggertool tool, AdmissionRequest request) {
        PodbuggertoolSpec spec = tool.getSpec();
        if (spec == null) {
            return Verdict.of(List.of(FieldProblem.required("spec", "")));
        }
        try {
            PodLabel.parse(spec.label());
            return Verdict.ok();
        } catch (IllegalArgumentException invalid) {
            return Verdict.of(
                    List.of(FieldProblem.invalid("spec.label", spec.label(), String.valueOf(invalid.getMessage()))));
        }
    }

    @Override
    public Verdict update(Podbuggertool before, Podbuggertool after, AdmissionRequest request) {
        PodbuggertoolSpec old = before.getSpec();
        PodbuggertoolSpec changed = after.getSpec();
        if (old == null || changed == null) {
            return create(after, request);
        }
        List<FieldProblem> problems = new ArrayList<>();
        if (!old.label().equals(changed.label())) {
            problems.add(FieldProblem.invalid("spec.label", changed.label(), IMMUTABLE));
        }
        if (!Objects.equals(old.targetContainerName(), changed.targetContainerName())) {
            problems.add(FieldProblem.invalid(
                    "spec.targetContainerName", String.valueOf(changed.targetContainerName()), IMMUTABLE));
        }
        if (!old.command().equals(changed.command())) {
            problems.add(FieldProblem.invalid("spec.command", changed.command(), IMMUTABLE));
        }
        return Verdict.of(problems);
    }
}

package @{types};

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.FieldProblem;
import io.busbar.admission.Validator;
import io.busbar.admission.Verdict;
import java.util.List;

/** Refuses what no schema can: here, as an example, a size that shrinks. Called on an event loop: no I/O. */
public final class @{Kind}Validator implements Validator<@{Kind}> {

    @Override
    public Verdict create(@{Kind} @{kind}, AdmissionRequest request) {
        return Verdict.ok();
    }

    @Override
    public Verdict update(@{Kind} before, @{Kind} after, AdmissionRequest request) {
        return size(after) < size(before)
                ? Verdict.of(List.of(FieldProblem.forbidden("spec.size", "may not be less than " + size(before))))
                : Verdict.ok();
    }

    private static int size(@{Kind} @{kind}) {
        return @{kind}.getSpec() == null || @{kind}.getSpec().size() == null
                ? @{Kind}Spec.DEFAULT_SIZE
                : @{kind}.getSpec().size();
    }
}

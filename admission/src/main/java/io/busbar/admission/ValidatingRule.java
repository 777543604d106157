package io.busbar.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;

/** Runs a {@link Validator} and words its verdict as the API server would. Any thread. */
final class ValidatingRule<T extends HasMetadata> implements AdmissionRule {

    private final TypedObjects<T> objects;
    private final Validator<T> validator;

    ValidatingRule(TypedObjects<T> objects, Validator<T> validator) {
        this.objects = objects;
        this.validator = validator;
    }

    @Override
    public AdmissionDecision review(AdmissionRequest request) {
        try {
            Verdict verdict = verdict(request);
            return verdict.problems().isEmpty()
                    ? new AdmissionDecision.Allowed(verdict.warnings())
                    : objects.invalid(request, verdict.problems(), verdict.warnings());
        } catch (UndecodableObjectException e) {
            return request.operation() == AdmissionRequest.Operation.DELETE
                    ? new AdmissionDecision.Allowed(List.of("not validated: " + e.getMessage()))
                    : e.denial();
        }
    }

    private Verdict verdict(AdmissionRequest request) throws UndecodableObjectException {
        ObjectNode after = request.object();
        ObjectNode before = request.oldObject();
        return switch (request.operation()) {
            case CREATE -> after == null ? Verdict.ok() : validator.create(objects.decode(after, request), request);
            case UPDATE ->
                after == null || before == null
                        ? Verdict.ok()
                        : validator.update(objects.decode(before, request), objects.decode(after, request), request);
            case DELETE -> before == null ? Verdict.ok() : validator.delete(objects.decode(before, request), request);
            case CONNECT -> Verdict.ok();
        };
    }
}

package io.busbar.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.review.MalformedReviewException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
        if (MetadataChange.isOnWayOut(request)) {
            return AdmissionDecision.allowed();
        }
        try {
            Verdict verdict = verdict(request);
            return verdict.problems().isEmpty()
                    ? new AdmissionDecision.Allowed(verdict.warnings(), verdict.audit())
                    : objects.invalid(request, verdict);
        } catch (UndecodableObjectException e) {
            return request.operation() == AdmissionRequest.Operation.DELETE || MetadataChange.isAll(request)
                    ? new AdmissionDecision.Allowed(List.of("not validated: " + e.getMessage()))
                    : e.denial();
        }
    }

    private Verdict verdict(AdmissionRequest request) throws UndecodableObjectException {
        return switch (request.operation()) {
            case CREATE -> {
                ObjectNode object = request.object();
                yield object == null ? Verdict.ok() : validator.create(objects.decode(object, request), request);
            }
            case UPDATE -> update(request);
            case DELETE -> {
                T object = stored(request);
                yield object == null ? Verdict.ok() : validator.delete(object, request);
            }
            case CONNECT -> Verdict.ok();
        };
    }

    /** What cannot be read is to be repaired: then what is to be stored is looked at as if nothing had been there. */
    private Verdict update(AdmissionRequest request) throws UndecodableObjectException {
        ObjectNode object = request.object();
        if (object == null) {
            return Verdict.ok();
        }
        T after = objects.decode(object, request);
        try {
            T before = stored(request);
            return before == null ? Verdict.ok() : validator.update(before, after, request);
        } catch (UndecodableObjectException e) {
            Verdict verdict = validator.create(after, request);
            List<String> warnings = new ArrayList<>(verdict.warnings());
            warnings.add("the stored object cannot be read, so that the new one was checked as if it were created: "
                    + e.getMessage());
            return new Verdict(verdict.problems(), warnings, verdict.audit());
        }
    }

    private @Nullable T stored(AdmissionRequest request) throws UndecodableObjectException {
        try {
            ObjectNode object = request.oldObject();
            return object == null ? null : objects.decode(object, request);
        } catch (MalformedReviewException beyondLimits) {
            throw new UndecodableObjectException(
                    objects.invalid(request, List.of(FieldProblem.invalid("", "", beyondLimits.problem())), List.of()));
        }
    }
}

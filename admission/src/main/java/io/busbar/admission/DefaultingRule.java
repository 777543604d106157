package io.busbar.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.patch.JsonPatch;
import io.busbar.admission.patch.Overlay;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.function.Function;

/** Runs a {@link Defaulter} on the typed object and carries the difference over to the raw one. Any thread. */
final class DefaultingRule<T extends HasMetadata> implements AdmissionRule {

    private final TypedObjects<T> objects;
    private final Function<T, List<FieldProblem>> problems;
    private final Defaulter<T> defaulter;

    DefaultingRule(TypedObjects<T> objects, Function<T, List<FieldProblem>> problems, Defaulter<T> defaulter) {
        this.objects = objects;
        this.problems = problems;
        this.defaulter = defaulter;
    }

    @Override
    public AdmissionDecision review(AdmissionRequest request) {
        ObjectNode raw = request.object();
        if (raw == null || MetadataChange.isOnWayOut(request)) {
            return AdmissionDecision.allowed();
        }
        try {
            T object = objects.decode(raw, request);
            List<FieldProblem> found = problems.apply(object);
            if (!found.isEmpty()) {
                return objects.invalid(request, found, List.of());
            }
            JsonNode before = objects.encode(object);
            JsonNode after = objects.encode(defaulter.withDefaults(object, request));
            return AdmissionRules.patched(JsonPatch.diff(raw, Overlay.apply(raw, before, after)), List.of());
        } catch (UndecodableObjectException e) {
            return MetadataChange.isAll(request)
                    ? new AdmissionDecision.Allowed(List.of("no defaults were filled in: " + e.getMessage()))
                    : e.denial();
        }
    }
}

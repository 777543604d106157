package io.busbar.operator.sidecarset.inject;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A request about a Pod, as a test wants it. Counts how often the whole object is asked for. */
record PodReview(Operation operation, String namespace, String subResource, ObjectNode object, AtomicInteger decoded)
        implements AdmissionRequest {

    static PodReview creating(ObjectNode pod) {
        return new PodReview(Operation.CREATE, "shop", "", pod, new AtomicInteger());
    }

    PodReview in(String other) {
        return new PodReview(operation, other, subResource, object, decoded);
    }

    PodReview as(Operation other) {
        return new PodReview(other, namespace, subResource, object, decoded);
    }

    PodReview of(String otherSubResource) {
        return new PodReview(operation, namespace, otherSubResource, object, decoded);
    }

    @Override
    public String uid() {
        return "1";
    }

    @Override
    public String resource() {
        return "pods";
    }

    @Override
    public String name() {
        return "";
    }

    @Override
    public boolean dryRun() {
        return false;
    }

    @Override
    public String username() {
        return "";
    }

    @Override
    public List<String> groups() {
        return List.of();
    }

    @Override
    public ObjectNode metadata() {
        return object.withObjectProperty("metadata");
    }

    @Override
    public ObjectNode object() {
        decoded.incrementAndGet();
        return object;
    }

    @Override
    public @Nullable ObjectNode oldObject() {
        return null;
    }
}

package io.busbar.operator.explain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The request that would create a Pod. Immutable. */
record PodCreation(ObjectNode object, String namespace) implements AdmissionRequest {

    @Override
    public Operation operation() {
        return Operation.CREATE;
    }

    @Override
    public String resource() {
        return "pods";
    }

    @Override
    public String subResource() {
        return "";
    }

    @Override
    public String uid() {
        return "explanation";
    }

    @Override
    public String name() {
        return object.path("metadata").path("name").asText();
    }

    @Override
    public boolean dryRun() {
        return true;
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
    public @Nullable ObjectNode oldObject() {
        return null;
    }
}

package io.busbar.admission.review;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A review that was read.
 *
 * <p>One context: objects are decoded when they are first asked for.
 */
public final class Review implements AdmissionRequest {

    private final ReviewFields fields;

    Review(ReviewFields fields) {
        this.fields = fields;
    }

    /** {@code admission.k8s.io/v1} or {@code …/v1beta1}: the answer has the same. */
    public String apiVersion() {
        return fields.apiVersion;
    }

    /** The API group of the object; empty for the core group. */
    public String group() {
        return fields.group;
    }

    /** The kind of the object, such as {@code Pod}. */
    public String kind() {
        return fields.kind;
    }

    @Override
    public String uid() {
        return fields.uid;
    }

    @Override
    public Operation operation() {
        return fields.operation;
    }

    @Override
    public String resource() {
        return fields.resource;
    }

    @Override
    public String subResource() {
        return fields.subResource;
    }

    @Override
    public String namespace() {
        return fields.namespace;
    }

    @Override
    public String name() {
        return fields.name.isEmpty() ? metadata().path("name").asText("") : fields.name;
    }

    @Override
    public boolean dryRun() {
        return fields.dryRun;
    }

    @Override
    public String username() {
        return fields.username;
    }

    @Override
    public List<String> groups() {
        return fields.groups;
    }

    @Override
    public ObjectNode metadata() {
        ReviewedObject object = fields.object;
        return object == null ? JsonNodeFactory.instance.objectNode() : object.metadata();
    }

    @Override
    public @Nullable ObjectNode object() {
        ReviewedObject object = fields.object;
        return object == null ? null : object.object();
    }

    @Override
    public @Nullable ObjectNode oldObject() {
        ReviewedObject object = fields.oldObject;
        return object == null ? null : object.object();
    }
}

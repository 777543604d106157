package io.busbar.admission;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.conversion.UnconvertibleException;
import io.busbar.admission.conversion.Versions;
import io.busbar.admission.review.MalformedReviewException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request with its objects in another version. One context, as the request itself. */
final class ConvertedRequest implements AdmissionRequest {

    private final AdmissionRequest request;
    private final Versions<?> versions;
    private final String apiVersion;
    private final @Nullable ObjectNode object;
    /** Null until it is asked for: most rules never do. */
    private @Nullable ObjectNode oldObject;

    /**
     * @throws UnconvertibleException when the object cannot be had in this version; the stored one may be as it is, for
     *     those who repair it
     */
    ConvertedRequest(AdmissionRequest request, Versions<?> versions, String apiVersion) throws UnconvertibleException {
        this.request = request;
        this.versions = versions;
        this.apiVersion = apiVersion;
        ObjectNode raw = request.object();
        this.object = raw == null ? null : versions.convert(raw, apiVersion);
    }

    @Override
    public String uid() {
        return request.uid();
    }

    @Override
    public Operation operation() {
        return request.operation();
    }

    @Override
    public String resource() {
        return request.resource();
    }

    @Override
    public String subResource() {
        return request.subResource();
    }

    @Override
    public String namespace() {
        return request.namespace();
    }

    @Override
    public String name() {
        return request.name();
    }

    @Override
    public boolean dryRun() {
        return request.dryRun();
    }

    @Override
    public String username() {
        return request.username();
    }

    @Override
    public List<String> groups() {
        return request.groups();
    }

    @Override
    public ObjectNode metadata() {
        return object != null && object.path("metadata") instanceof ObjectNode metadata
                ? metadata
                : JsonNodeFactory.instance.objectNode();
    }

    @Override
    public @Nullable ObjectNode object() {
        return object;
    }

    @Override
    public @Nullable ObjectNode oldObject() {
        ObjectNode raw = request.oldObject();
        if (oldObject == null && raw != null) {
            try {
                oldObject = versions.convert(raw, apiVersion);
            } catch (UnconvertibleException e) {
                throw new MalformedReviewException(String.valueOf(e.getMessage()));
            }
        }
        return oldObject;
    }
}

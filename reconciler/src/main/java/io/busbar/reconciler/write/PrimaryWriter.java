package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what the engine writes to primaries: finalizers and the status.
 *
 * <p>Each is one merge patch that holds the resourceVersion which it was computed from: if anyone else was first, the
 * API server answers with a conflict, an {@link OutdatedPrimaryException}, and the reconcile is tried again on what is
 * there then.
 *
 * <p>Any thread; blocks.
 */
public final class PrimaryWriter<P extends HasMetadata> {

    private static final Logger log = LoggerFactory.getLogger(PrimaryWriter.class);

    private final Class<P> type;
    private final ApiRequests api;
    private final OwnWrites writes;

    public PrimaryWriter(Class<P> type, ApiRequests api, OwnWrites writes) {
        this.type = type;
        this.api = api;
        this.writes = writes;
    }

    public P addFinalizer(P primary, String finalizer) {
        List<String> finalizers = new ArrayList<>(primary.getMetadata().getFinalizers());
        finalizers.add(finalizer);
        P answer = patch(primary, "", finalizers(finalizers));
        log.atInfo().addKeyValue("finalizer", finalizer).log("added the finalizer");
        return answer;
    }

    /** @return the primary as it is now; empty where it has gone with that */
    public Optional<P> removeFinalizer(P primary, String finalizer) {
        List<String> finalizers = new ArrayList<>(primary.getMetadata().getFinalizers());
        finalizers.remove(finalizer);
        try {
            P answer = patch(primary, "", finalizers(finalizers));
            log.atInfo().addKeyValue("finalizer", finalizer).log("removed the finalizer");
            return Optional.of(answer);
        } catch (KubernetesClientException failure) {
            if (failure.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw failure;
            }
            return Optional.empty();
        }
    }

    private static ObjectNode finalizers(List<String> all) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        all.forEach(patch.withObjectProperty("metadata").withArrayProperty("finalizers")::add);
        if (all.isEmpty()) {
            patch.withObjectProperty("metadata").putArray("finalizers");
        }
        return patch;
    }

    /**
     * @param latest the primary as this reconcile knows it
     * @param desired its status is what it should be
     * @return the primary as it is now: {@code latest} when nothing had to be written
     */
    public P status(P latest, P desired) {
        ObjectNode change = MergePatch.between(status(latest), status(desired));
        if (change.isEmpty()) {
            return latest;
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.set("status", change);
        P answer = patch(latest, "/status", patch);
        log.atDebug().log("wrote the status");
        return answer;
    }

    /** Without turning the rest into JSON, where the status can be had alone. */
    private JsonNode status(P primary) {
        if (primary instanceof CustomResource<?, ?> resource) {
            Object status = resource.getStatus();
            return status == null ? MissingNode.getInstance() : api.json(status);
        }
        if (primary instanceof GenericKubernetesResource resource) {
            Object status = resource.getAdditionalProperties().get("status");
            return status == null ? MissingNode.getInstance() : api.json(status);
        }
        return api.json(primary).path("status");
    }

    private P patch(P primary, String subresource, ObjectNode patch) {
        patch.withObjectProperty("metadata")
                .put("resourceVersion", primary.getMetadata().getResourceVersion());
        try {
            P answer = api.patch(type, ObjectPaths.of(primary) + subresource, ApiRequests.MERGE, patch);
            writes.remember(answer);
            return answer;
        } catch (KubernetesClientException failure) {
            throw failure.getCode() == HttpURLConnection.HTTP_CONFLICT
                    ? new OutdatedPrimaryException(failure)
                    : failure;
        }
    }
}

package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.watch.Listers;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates and deletes objects that cannot be applied, such as Pods whose names the API server makes up.
 *
 * <p>Any thread; blocks. What it wrote is laid over the stores.
 */
public final class ObjectWriter {

    private static final Logger log = LoggerFactory.getLogger(ObjectWriter.class);

    private final String fieldManager;
    private final ApiRequests api;
    private final Listers stores;
    private final OwnWrites writes;

    /**
     * @param stores without own writes
     */
    public ObjectWriter(String fieldManager, ApiRequests api, Listers stores, OwnWrites writes) {
        this.fieldManager = fieldManager;
        this.api = api;
        this.stores = stores;
        this.writes = writes;
    }

    /**
     * @param owner becomes the controlling owner where the object has none and may have this one
     * @return the object as it is now
     */
    public <T extends HasMetadata> T create(T desired, HasMetadata owner) {
        @SuppressWarnings("unchecked") // an object's class is a class of its type
        Class<T> type = (Class<T>) desired.getClass();
        ObjectNode body = api.json(desired);
        ControllerReference.to(owner, desired)
                .ifPresent(reference -> body.withObjectProperty("metadata")
                        .withArrayProperty("ownerReferences")
                        .add(api.json(reference)));
        T created = api.create(
                type,
                ObjectPaths.collection(desired) + "?fieldManager="
                        + URLEncoder.encode(fieldManager, StandardCharsets.UTF_8),
                body);
        writes.remember(created, Optional.empty());
        report("created", created);
        return created;
    }

    /**
     * Unless it is gone, or another one has its name by now. Reads show it as being deleted from now on, until the store does; what is neither in
     * the store nor there any more is not shown again.
     *
     * @param gracePeriod rounded up to whole seconds, as 0 would take the object away at once; the object's own if empty
     */
    public void delete(HasMetadata object, Optional<Duration> gracePeriod) {
        // Asked before: the watch may show the deletion before its answer is here.
        boolean stored =
                stores.lister(object.getClass()).get(ObjectKey.of(object)).isPresent();
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        options.put("apiVersion", "v1").put("kind", "DeleteOptions");
        options.withObjectProperty("preconditions")
                .put("uid", object.getMetadata().getUid());
        gracePeriod.ifPresent(grace -> options.put(
                "gracePeriodSeconds", grace.plusSeconds(1).minusNanos(1).toSeconds()));
        try {
            api.delete(ObjectPaths.of(object), options);
            report("deleted", object);
        } catch (KubernetesClientException failure) {
            ApiFailure kind = ApiFailure.of(failure);
            if (!(kind instanceof ApiFailure.NotFound) && !(kind instanceof ApiFailure.Conflict)) {
                throw failure;
            }
            if (!stored) {
                return;
            }
        }
        writes.rememberDeletion(api.copy(object), stored);
    }

    private static void report(String what, HasMetadata object) {
        log.atInfo()
                .addKeyValue("kind", object.getKind())
                .addKeyValue("object", ObjectKey.of(object))
                .log(what);
    }
}

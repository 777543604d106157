package io.busbar.sandbox.kinds.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.SelectorIndex;
import io.busbar.sandbox.controller.SyncLoop;
import io.busbar.sandbox.controller.Writes;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.StoreEvent;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the Endpoints of each Service that has a selector.
 *
 * <p>One context.
 */
public final class ServiceEndpoints {

    static final String HEADLESS = "service.kubernetes.io/headless";

    private final ControllerContext context;
    private final SelectorIndex index;
    private final Writes writes;
    private final SyncLoop loop;
    private final List<Runnable> watches;

    private ServiceEndpoints(ControllerContext context, SelectorIndex index) {
        this.context = context;
        this.index = index;
        this.writes = Writes.of(context);
        this.loop = new SyncLoop(context.vertx(), context.clock(), context.name(), this::sync);
        this.watches = List.of(
                context.store().watch(Kind.SERVICE.resource(), event -> loop.soon(event.key())),
                context.store()
                        .watch(
                                Kind.POD.resource(),
                                event -> index.selecting(event).forEach(loop::soon)),
                context.store().watch(Kind.ENDPOINTS.resource(), this::endpointsChanged));
    }

    /** @param index of Services, by {@link #selector} */
    public static ServiceEndpoints start(ControllerContext context, SelectorIndex index) {
        return new ServiceEndpoints(context, index);
    }

    /** What a Service selects: nothing when it doesn't say. */
    public static LabelSelector selector(ObjectNode service) {
        JsonNode labels = service.path("spec").path("selector");
        if (labels.isEmpty()) {
            return LabelSelector.of(null);
        }
        ObjectNode selector = service.objectNode();
        selector.set("matchLabels", labels);
        return LabelSelector.of(selector);
    }

    /** Begins nothing any more; what is under way ends. */
    public void stop() {
        watches.forEach(Runnable::run);
        loop.stop();
    }

    private void endpointsChanged(StoreEvent event) {
        if (context.store().get(Kind.SERVICE.resource(), event.key()) != null) {
            loop.soon(event.key());
        }
    }

    private Future<@Nullable Duration> sync(ObjectKey key) {
        ObjectNode service = context.store().get(Kind.SERVICE.resource(), key);
        ObjectNode there = context.store().get(Kind.ENDPOINTS.resource(), key);
        if (service == null) {
            return there == null
                    ? Future.succeededFuture()
                    : writes.delete(Kind.ENDPOINTS, there, "").map(done -> null);
        }
        if (service.path("spec").path("selector").isEmpty()) {
            return Future.succeededFuture();
        }
        ArrayNode subsets = Subsets.of(service, Backend.of(service, index.pods(key)));
        if (there != null) {
            return writes.update(Kind.ENDPOINTS, there, changed -> fill(changed, service, subsets))
                    .map(done -> null);
        }
        ObjectNode endpoints = JsonNodeFactory.instance.objectNode();
        endpoints.put("kind", Kind.ENDPOINTS.name()).put("apiVersion", Kind.ENDPOINTS.apiVersion());
        endpoints.putObject("metadata").put("namespace", key.namespace()).put("name", key.name());
        fill(endpoints, service, subsets);
        return context.store().create(Kind.ENDPOINTS.resource(), endpoints).map(done -> null);
    }

    private static void fill(ObjectNode endpoints, ObjectNode service, ArrayNode subsets) {
        Metadata.of(endpoints)
                .set("labels", labels(service).put("endpoints.kubernetes.io/managed-by", "endpoint-controller"));
        if (subsets.isEmpty()) {
            endpoints.remove("subsets");
        } else {
            endpoints.set("subsets", subsets);
        }
    }

    /** Those of the Service, and whether it is headless. */
    static ObjectNode labels(ObjectNode service) {
        ObjectNode labels = service.path("metadata").path("labels") instanceof ObjectNode own
                ? own.deepCopy()
                : service.objectNode();
        labels.remove(HEADLESS);
        if (service.path("spec").path("clusterIP").asText().equals("None")) {
            labels.put(HEADLESS, "");
        }
        return labels;
    }
}

package io.busbar.sandbox.kinds.service;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.ControllerLoop;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.OwnerReferences;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.controller.SelectorIndex;
import io.busbar.sandbox.controller.Writes;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the EndpointSlices of each Service that has a selector.
 *
 * <p>One context.
 */
public final class EndpointSlices {

    private static final String SERVICE = "kubernetes.io/service-name";
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";

    private final ControllerContext context;
    private final SelectorIndex index;
    private final Writes writes;

    private EndpointSlices(ControllerContext context, SelectorIndex index) {
        this.context = context;
        this.index = index;
        this.writes = Writes.of(context);
    }

    /** @param index of Services, by {@link ServiceEndpoints#selector} */
    public static ControllerLoop start(ControllerContext context, SelectorIndex index) {
        EndpointSlices slices = new EndpointSlices(context, index);
        return new ControllerLoop(context, Kind.SERVICE, slices::sync)
                .owns(Kind.ENDPOINT_SLICE)
                .watches(Kind.POD, index::selecting);
    }

    private Future<@Nullable Duration> sync(ObjectNode service) {
        Metadata metadata = Metadata.of(service);
        boolean none = service.path("spec").path("selector").isEmpty()
                || service.path("spec").path("type").asText().equals("ExternalName")
                || metadata.deleting();
        if (none) {
            return Future.succeededFuture();
        }
        List<ObjectNode> there = context.owned().slices().of(metadata.uid()).stream()
                .sorted(Pods.byAge())
                .toList();
        List<Backend> backends = Backend.of(service, index.pods(metadata.key()));
        Set<String> kept = new HashSet<>();
        List<Future<?>> done = new ArrayList<>();
        for (Slicing.Content content : new Slicing(service, zones()).slice(backends, there)) {
            kept.add(Metadata.of(content.slice()).name());
            done.add(write(service, content));
        }
        there.stream()
                .filter(slice -> !kept.contains(Metadata.of(slice).name()))
                .forEach(slice -> done.add(writes.delete(Kind.ENDPOINT_SLICE, slice, "")));
        return Future.all(done).map(all -> null);
    }

    private Future<?> write(ObjectNode service, Slicing.Content content) {
        if (!Metadata.of(content.slice()).name().isEmpty()) {
            return writes.update(Kind.ENDPOINT_SLICE, content.slice(), slice -> fill(slice, service, content));
        }
        ObjectNode slice = JsonNodeFactory.instance.objectNode();
        slice.put("kind", Kind.ENDPOINT_SLICE.name()).put("apiVersion", Kind.ENDPOINT_SLICE.apiVersion());
        slice.putObject("metadata")
                .put("namespace", Metadata.of(service).namespace())
                .put("generateName", Metadata.of(service).name() + "-");
        OwnerReferences.control(slice, service, Kind.SERVICE);
        fill(slice, service, content);
        return context.store().create(Kind.ENDPOINT_SLICE.resource(), slice);
    }

    private static void fill(ObjectNode slice, ObjectNode service, Slicing.Content content) {
        Metadata.of(slice)
                .set(
                        "labels",
                        ServiceEndpoints.labels(service)
                                .put(SERVICE, Metadata.of(service).name())
                                .put(MANAGED_BY, "endpointslice-controller.k8s.io"));
        slice.put("addressType", "IPv4");
        slice.set("endpoints", content.endpoints());
        slice.set("ports", content.ports());
    }

    private Map<String, String> zones() {
        return context.store().list(Kind.NODE.resource()).stream()
                .collect(Collectors.toMap(node -> Metadata.of(node).name(), node -> Pods.label(node, ZONE)));
    }
}

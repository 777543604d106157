package io.busbar.sandbox.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the nodes, ready once and for all: nobody watches over them.
 *
 * <p>One context.
 */
public final class Nodes {

    private static final GroupResource NODES = GroupResource.core("nodes");

    private final ObjectStore store;
    private final InstantSource clock;
    private final String version;

    public Nodes(ObjectStore store, InstantSource clock, String version) {
        this.store = store;
        this.clock = clock;
        this.version = version;
    }

    /** Makes those that are not there. */
    public Future<Void> create(int count) {
        List<Future<?>> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ObjectNode node = node(i);
            if (store.get(NODES, Metadata.of(node).key()) == null) {
                made.add(store.create(NODES, node));
            }
        }
        return Future.all(made).mapEmpty();
    }

    private ObjectNode node(int index) {
        String name = "node-" + index;
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("kind", "Node").put("apiVersion", "v1");
        ObjectNode metadata = node.putObject("metadata").put("name", name);
        metadata.putObject("labels")
                .put("kubernetes.io/hostname", name)
                .put("kubernetes.io/os", "linux")
                .put("kubernetes.io/arch", "amd64")
                .put("topology.kubernetes.io/zone", "zone-" + index);
        node.putObject("spec");
        ObjectNode status = node.putObject("status");
        resources(status.putObject("capacity"));
        resources(status.putObject("allocatable"));
        String now = Metadata.time(clock.instant());
        status.putArray("conditions")
                .addObject()
                .put("type", "Ready")
                .put("status", "True")
                .put("reason", "KubeletReady")
                .put("message", "simulated")
                .put("lastHeartbeatTime", now)
                .put("lastTransitionTime", now);
        ArrayNode addresses = status.putArray("addresses");
        addresses.addObject().put("type", "InternalIP").put("address", "10.0.0." + (index + 1));
        addresses.addObject().put("type", "Hostname").put("address", name);
        status.putObject("nodeInfo")
                .put("architecture", "amd64")
                .put("operatingSystem", "linux")
                .put("osImage", "sandbox")
                .put("kernelVersion", "sandbox")
                .put("containerRuntimeVersion", "sandbox://1")
                .put("kubeletVersion", version)
                .put("kubeProxyVersion", version)
                .put("machineID", name)
                .put("systemUUID", name)
                .put("bootID", name);
        return node;
    }

    private static void resources(ObjectNode resources) {
        resources.put("cpu", "64").put("memory", "256Gi").put("pods", "1000").put("ephemeral-storage", "1Ti");
    }
}

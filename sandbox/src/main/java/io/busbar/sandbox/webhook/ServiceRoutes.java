package io.busbar.sandbox.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the Service of a webhook is reached: at an address that stands for it; else as a real server and its nodes'
 * proxies find it, by its external name, or by the EndpointSlices or Endpoints that somebody made for it. Pods, which a
 * selector finds, cannot be called.
 *
 * <p>{@link #add}: any thread. The rest: one context.
 */
public final class ServiceRoutes {

    private static final GroupResource SERVICES = GroupResource.core("services");
    private static final GroupResource ENDPOINTS = GroupResource.core("endpoints");
    private static final GroupResource SLICES = new GroupResource("discovery.k8s.io", "endpointslices");

    private final Map<String, InetSocketAddress> standIns = new ConcurrentHashMap<>();

    /** @param service {@code namespace/name}; all its ports lead there */
    public void add(String service, InetSocketAddress to) {
        if (!service.matches("[^/]+/[^/]+")) {
            throw new IllegalArgumentException("not a Service: '" + service + "', such as namespace/name");
        }
        standIns.put(service, to);
    }

    /** @throws IllegalArgumentException when there is no way to it, in the real server's words */
    SocketAddress find(MemoryStore store, String namespace, String name, int port) {
        InetSocketAddress standIn = standIns.get(namespace + "/" + name);
        if (standIn != null) {
            return SocketAddress.inetSocketAddress(standIn.getPort(), standIn.getHostString());
        }
        ObjectNode service = store.shelf(SERVICES).get(new ObjectKey(namespace, name));
        if (service == null) {
            throw new IllegalArgumentException("service \"" + name + "\" not found");
        }
        JsonNode spec = service.path("spec");
        if (spec.path("type").asText().equals("ExternalName")) {
            return SocketAddress.inetSocketAddress(
                    port, spec.path("externalName").asText());
        }
        if (spec.path("clusterIP").asText().equals("None")) {
            throw new IllegalArgumentException("cannot route to service with ClusterIP \"None\"");
        }
        for (JsonNode candidate : spec.path("ports")) {
            if (candidate.path("port").asInt() == port) {
                return spec.path("selector").isEmpty()
                        ? endpoint(
                                store, namespace, name, candidate.path("name").asText(""))
                        : noEndpoints(name);
            }
        }
        throw new IllegalArgumentException("no service port " + port + " found for service \"" + name + "\"");
    }

    private static SocketAddress endpoint(MemoryStore store, String namespace, String name, String port) {
        for (ObjectNode slice : store.shelf(SLICES).objects(namespace).values()) {
            JsonNode of = slice.path("metadata").path("labels").path("kubernetes.io/service-name");
            for (JsonNode endpoint : of.asText().equals(name) ? slice.path("endpoints") : List.<JsonNode>of()) {
                int number = number(slice.path("ports"), port);
                if (number > 0 && endpoint.path("conditions").path("ready").asBoolean(true)) {
                    return SocketAddress.inetSocketAddress(
                            number, endpoint.path("addresses").path(0).asText());
                }
            }
        }
        ObjectNode endpoints = store.shelf(ENDPOINTS).get(new ObjectKey(namespace, name));
        for (JsonNode subset : endpoints == null ? List.<JsonNode>of() : endpoints.path("subsets")) {
            int number = number(subset.path("ports"), port);
            if (number > 0 && subset.path("addresses").has(0)) {
                return SocketAddress.inetSocketAddress(
                        number, subset.path("addresses").path(0).path("ip").asText());
            }
        }
        return noEndpoints(name);
    }

    private static int number(JsonNode ports, String name) {
        for (JsonNode port : ports) {
            if (port.path("name").asText("").equals(name)) {
                return port.path("port").asInt();
            }
        }
        return 0;
    }

    private static SocketAddress noEndpoints(String name) {
        throw new IllegalArgumentException("no endpoints available for service \"" + name + "\"");
    }
}

package io.busbar.sandbox.kinds.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.StoreEvent;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cluster IPs of 10.96.0.0/16 and the node ports from 30000 to 32767 that Services have, and those that are free.
 *
 * <p>One context. An address is taken when its Service is written: until then the next one that asks gets another.
 */
public final class ServiceAddresses {

    static final String RANGE = "10.96.0.0/16";
    private static final String IN_RANGE =
            "10\\.96\\.(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\\.(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])";
    private static final int FIRST_PORT = 30_000;
    private static final int PORTS = 2_768;
    private static final int ADDRESSES = 65_536;
    /** The first few are for the cluster's own Services. */
    private static final int RESERVED = 16;

    private final Map<String, ObjectKey> addresses = new HashMap<>();
    private final Map<Integer, ObjectKey> ports = new HashMap<>();
    private int lastAddress = RESERVED - 1;
    private int lastPort = -1;

    private ServiceAddresses() {}

    /** Of a store's Services, now and later. */
    public static ServiceAddresses of(MemoryStore store) {
        ServiceAddresses addresses = new ServiceAddresses();
        store.shelf(Kind.SERVICE.resource()).objects("").forEach(addresses::take);
        store.onChange(addresses::changed);
        return addresses;
    }

    private void changed(StoreEvent event) {
        if (!event.resource().equals(Kind.SERVICE.resource())) {
            return;
        }
        ObjectNode before = event.previous();
        if (before != null) {
            release(before);
        }
        if (event.type() != StoreEvent.Type.DELETED) {
            take(event.key(), event.object());
        }
    }

    private void take(ObjectKey key, ObjectNode service) {
        String address = service.path("spec").path("clusterIP").asText();
        if (isInRange(address)) {
            addresses.put(address, key);
        }
        if (service.path("spec").path("healthCheckNodePort").asInt() > 0) {
            ports.put(service.path("spec").path("healthCheckNodePort").asInt(), key);
        }
        for (JsonNode port : service.path("spec").path("ports")) {
            if (port.path("nodePort").asInt() > 0) {
                ports.put(port.path("nodePort").asInt(), key);
            }
        }
    }

    private void release(ObjectNode service) {
        addresses.remove(service.path("spec").path("clusterIP").asText());
        ports.remove(service.path("spec").path("healthCheckNodePort").asInt());
        service.path("spec")
                .path("ports")
                .forEach(port -> ports.remove(port.path("nodePort").asInt()));
    }

    static boolean isInRange(String address) {
        return address.matches(IN_RANGE);
    }

    @Nullable
    ObjectKey ownerOf(String address) {
        return addresses.get(address);
    }

    @Nullable
    ObjectKey ownerOf(int nodePort) {
        return ports.get(nodePort);
    }

    static boolean isNodePort(int port) {
        return port >= FIRST_PORT && port < FIRST_PORT + PORTS;
    }

    /** Empty when all are taken. */
    String nextAddress() {
        for (int tried = 0; tried < ADDRESSES; tried++) {
            lastAddress = lastAddress + 1 >= ADDRESSES - 1 ? RESERVED : lastAddress + 1;
            String address = "10.96." + (lastAddress >> 8) + "." + (lastAddress & 255);
            if (!addresses.containsKey(address)) {
                return address;
            }
        }
        return "";
    }

    /** 0 when all are taken. */
    int nextPort() {
        for (int tried = 0; tried < PORTS; tried++) {
            lastPort = (lastPort + 1) % PORTS;
            if (!ports.containsKey(FIRST_PORT + lastPort)) {
                return FIRST_PORT + lastPort;
            }
        }
        return 0;
    }
}

package io.busbar.common.bus;

import io.busbar.common.ResourceType;

/** The addresses of the bus. Immutable. */
public final class Addresses {

    private Addresses() {}

    /** Where {@link ResourceChanged} of a kind are published. */
    public static String changes(ResourceType type) {
        return "busbar.changes." + type;
    }

    /** Where {@link ResourceListed} of a kind are published. */
    public static String lists(ResourceType type) {
        return "busbar.lists." + type;
    }

    /** Where {@link ReconcileRequest}s for a controller are sent. */
    public static String requests(String controller) {
        return "busbar.requests." + controller;
    }
}

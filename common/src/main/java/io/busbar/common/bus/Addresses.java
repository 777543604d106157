package io.busbar.common.bus;

import io.busbar.common.ResourceType;

/**
 * The addresses of one operator on the bus, and the names of its threads' pools: those that several operators in one
 * Vert.x, or the clusters of one operator, must not share.
 *
 * <p>Immutable. Code of a bundle has those of its operator from its context.
 */
public final class Addresses {

    private static final Addresses STANDARD = new Addresses("busbar", "busbar", "", "");

    private final String root;
    /** What the names of pools begin with: guests have those of their operator. */
    private final String pools;

    private final String cluster;
    private final String ending;

    private Addresses(String root, String pools, String cluster, String ending) {
        this.root = root;
        this.pools = pools;
        this.cluster = cluster;
        this.ending = ending;
    }

    /** Those of an operator that is alone in its Vert.x. */
    public static Addresses standard() {
        return STANDARD;
    }

    /**
     * Those of one of several operators in a Vert.x.
     *
     * @param scope tells them apart; empty for the standard ones
     */
    public static Addresses of(String scope) {
        String own = STANDARD.root + "#" + scope;
        return scope.isEmpty() ? STANDARD : new Addresses(own, own, "", "");
    }

    /**
     * The same operator's, for what it watches in another cluster than its own.
     *
     * @param name of the cluster; empty for the operator's own
     */
    public Addresses in(String name) {
        return new Addresses(root, pools, name, name.isEmpty() ? "" : "@" + name);
    }

    /**
     * Those of a guest of the same operator, which watches with a client of its own. It has the operator's pools of
     * threads: there may be hundreds of guests.
     *
     * @param name tells it from other guests
     */
    public Addresses ofGuest(String name) {
        return new Addresses(root + "/" + name, pools, "", "~" + name);
    }

    /**
     * What ends the names of what belongs to another cluster than the operator's own, or to a guest: {@code @} or
     * {@code ~} and its name, or nothing.
     */
    public String ending() {
        return ending;
    }

    /** Whose these are; empty for the operator's own. */
    public String cluster() {
        return cluster;
    }

    /** Where {@link ResourceChanged} of a kind are published. */
    public String changes(ResourceType type) {
        return root + ".changes." + type + ending;
    }

    /** Where {@link ResourceListed} of a kind are published. */
    public String lists(ResourceType type) {
        return root + ".lists." + type + ending;
    }

    /** Where {@link ReconcileRequest}s for a controller are sent. */
    public String requests(String controller) {
        return root + ".requests." + controller;
    }

    /** Where {@link ReconcileTask}s for a controller's workers are sent, with what tells the worker after it. */
    public String workers(String controller) {
        return root + ".workers." + controller;
    }

    /** The name of a pool of threads: those of one name are one pool in a Vert.x. */
    public String threads(String use) {
        return pools + "-" + use + (cluster.isEmpty() ? "" : ending);
    }
}

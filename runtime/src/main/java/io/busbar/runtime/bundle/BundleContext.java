package io.busbar.runtime.bundle;

import io.busbar.common.bus.Addresses;
import io.busbar.reconciler.leader.Permit;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What a bundle runs in.
 *
 * <p>Immutable.
 */
public final class BundleContext {

    private final String namespace;
    private final boolean inCluster;
    private final Optional<Vertx> vertx;
    private final MeterRegistry meters;
    private final Addresses addresses;
    private final Set<String> clusters;
    private final Function<Set<String>, Future<Void>> namespaces;
    private final Permit permit;
    private final Guests guests;

    private BundleContext(
            String namespace,
            boolean inCluster,
            Optional<Vertx> vertx,
            MeterRegistry meters,
            Addresses addresses,
            Set<String> clusters,
            Function<Set<String>, Future<Void>> namespaces,
            Permit permit,
            Guests guests) {
        this.namespace = namespace;
        this.inCluster = inCluster;
        this.vertx = vertx;
        this.meters = meters;
        this.addresses = addresses;
        this.clusters = Collections.unmodifiableSet(new TreeSet<>(clusters));
        this.namespaces = namespaces;
        this.permit = permit;
        this.guests = guests;
    }

    /**
     * For a bundle that runs.
     *
     * @param meters what {@code /metrics} says
     * @param clusters names of those that the operator works in beside its own
     * @param namespaces changes those that the operator watches
     * @param permit of what controllers send by other means than their clients
     * @param guests that it may start
     */
    public static BundleContext running(
            String namespace,
            boolean inCluster,
            Vertx vertx,
            MeterRegistry meters,
            Addresses addresses,
            Set<String> clusters,
            Function<Set<String>, Future<Void>> namespaces,
            Permit permit,
            Guests guests) {
        return new BundleContext(
                namespace, inCluster, Optional.of(vertx), meters, addresses, clusters, namespaces, permit, guests);
    }

    /** For a bundle that is only asked what it declares. */
    public static BundleContext declaring(String namespace) {
        return declaring(namespace, new CompositeMeterRegistry());
    }

    /** The same where somebody looks at what it measures, such as a test. */
    public static BundleContext declaring(String namespace, MeterRegistry meters) {
        return new BundleContext(
                namespace,
                false,
                Optional.empty(),
                meters,
                Addresses.standard(),
                Set.of(),
                names -> notRunning(),
                Permit.always(),
                Guests.none());
    }

    /** The operator's own. */
    public String namespace() {
        return namespace;
    }

    /** Whether this process runs in a Pod of the cluster, where the names of Services and Pods are resolved. */
    public boolean inCluster() {
        return inCluster;
    }

    /**
     * The names of the clusters that the operator works in beside its own, in their order; none while the bundle is
     * only asked what it declares.
     */
    public Set<String> clusters() {
        return clusters;
    }

    /**
     * Changes the namespaces that are watched by all watches that name none, in all clusters: what is in one that is
     * added is listed, and reconciled once all of it is there; what is in one that is left is forgotten, as if it had
     * never been seen, and not cleaned up. Any thread, also that of a reconcile, which must not wait for this.
     *
     * @param names empty for all
     * @return completes when what is in them is listed; fails when they are changed again before that
     * @throws IllegalStateException when the bundle is only asked what it declares
     */
    public Future<Void> watchNamespaces(Set<String> names) {
        return namespaces.apply(names);
    }

    private static Future<Void> notRunning() {
        throw new IllegalStateException("nothing runs yet: a bundle may change the namespaces once it runs");
    }

    /**
     * To be asked right before each request that a controller sends by other means than the client of its context, such
     * as SQL, or a call of a cloud's API. Lets everything pass where no leader is elected and no work is shared.
     */
    public Permit permit() {
        return permit;
    }

    /**
     * For what a bundle measures, which then stands at {@code /metrics} beside the operator's own. While it is only asked
     * what it declares, nobody looks at it.
     */
    public MeterRegistry meters() {
        return meters;
    }

    /** Bundles that are started and ended while the operator runs. */
    public Guests guests() {
        return guests;
    }

    /** The operator's own on the bus, such as those where changes are published. */
    public Addresses addresses() {
        return addresses;
    }

    /**
     * That the operator runs on. To be asked for when something runs, as declarations are read without one.
     *
     * @throws IllegalStateException when the bundle is only asked what it declares
     */
    public Vertx vertx() {
        return vertx.orElseThrow(() -> new IllegalStateException(
                "nothing runs yet: a bundle may ask for Vert.x in what it declares, but not while it declares it"));
    }
}

package io.busbar.runtime.bundle;

import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Bundles that another bundle has its operator run, and end, while it runs: such as the controller of a kind that a
 * user has just declared. Each works in the operator's own cluster with a client of its own. Its controllers are seen
 * on the live page and in the metrics as any other, and write only while this replica may; its watches, and whether
 * they are listed, are nothing to the readiness of the replica. It has no webhooks, and does not share the work with
 * other replicas: whoever starts it sees to it that one replica alone does, such as in a reconcile, which is the
 * leader's.
 *
 * <p>Any thread.
 */
public interface Guests {

    /**
     * How a guest is doing.
     *
     * @param works whether all that it watches is listed, and its controllers reconcile
     * @param waitsFor what is not listed yet, and why, as far as it is known; empty once it works
     */
    record State(boolean works, String waitsFor) {}

    /**
     * Begins to run one.
     *
     * @param bundle with controllers alone; no other guest and no bundle of the operator has its name
     * @param config of its client, such as one that impersonates a ServiceAccount
     * @return completes when it works, which may be never where it may not list what it watches; fails where it can't,
     *     as with a controller whose name is taken, or where the replicas of the operator share the work, and when it,
     *     or the operator, is ended before
     */
    Future<Void> start(Bundle bundle, Config config);

    /**
     * Ends one, in order.
     *
     * @param name of the bundle
     * @return completes when its reconciles have ended and nothing of it is left; at once where there is none
     */
    Future<Void> end(String name);

    /**
     * How one is doing.
     *
     * @param name of the bundle
     * @return empty where there is none
     */
    Optional<State> state(String name);

    /** None can be started, as where bundles are asked what they declare. */
    static Guests none() {
        return new Guests() {
            @Override
            public Future<Void> start(Bundle bundle, Config config) {
                return Future.failedFuture("nothing runs here, and no guest can be started");
            }

            @Override
            public Future<Void> end(String name) {
                return Future.succeededFuture();
            }

            @Override
            public Optional<State> state(String name) {
                return Optional.empty();
            }
        };
    }
}

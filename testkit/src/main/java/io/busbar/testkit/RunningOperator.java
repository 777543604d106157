package io.busbar.testkit;

import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.options.OperatorOptions;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The operator under test, which all tests of a class share.
 *
 * <p>For plain threads: its methods block. One that is stopped must be started again before the test ends.
 */
public final class RunningOperator {

    private final OperatorDefinition definition;
    private final TestCluster cluster;
    private final Trail trail;
    private @Nullable StandaloneOperator operator;

    RunningOperator(OperatorDefinition definition, TestCluster cluster, Trail trail) {
        this.definition = definition;
        this.cluster = cluster;
        this.trail = trail;
    }

    /** Starts it, unless it runs. It runs, webhooks included, when this returns. */
    public synchronized void start() {
        if (operator != null) {
            return;
        }
        Config config = cluster.config();
        Interceptor requests = trail.requests("operator");
        StandaloneOperator started = new StandaloneOperator(
                definition, config, OperatorOptions.besideCluster(definition.name()), List.of(requests));
        operator = started;
        trail.followReconciles(started.vertx());
        Failures.unchecked("the operator does not start", started::start);
    }

    /** Stops it in order, unless it is stopped: what is in flight ends. */
    public synchronized void stop() {
        StandaloneOperator running = operator;
        operator = null;
        if (running != null) {
            Failures.unchecked("the operator does not stop", running::stop);
        }
    }

    /** Stops it, and starts another one, which remembers nothing. */
    public synchronized void restart() {
        stop();
        start();
    }

    /**
     * That the operator runs on, and its bundles.
     *
     * @throws IllegalStateException when it is stopped
     */
    public synchronized Vertx vertx() {
        return Optional.ofNullable(operator)
                .orElseThrow(() -> new IllegalStateException("the operator is stopped"))
                .vertx();
    }

    OperatorDefinition definition() {
        return definition;
    }

    /** Brings its kinds and its namespace to the cluster. */
    void install(KubernetesClient client) {
        Installation.install(client, definition);
    }
}

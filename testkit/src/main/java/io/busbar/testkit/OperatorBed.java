package io.busbar.testkit;

import io.busbar.runtime.bundle.OperatorDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster with an operator on it, and a client of the cluster's admin.
 *
 * <p>Any thread; {@link #start} and {@link #close} block.
 */
final class OperatorBed implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(OperatorBed.class);
    private static final long PATIENCE_SECONDS = 60;

    private final TestCluster cluster;
    private final Trail trail;
    private final KubernetesClient client;
    private final RunningOperator operator;
    /** Deleted by tests on a cluster that is there. */
    private final Queue<String> leftNamespaces = new ConcurrentLinkedQueue<>();

    private OperatorBed(TestCluster cluster, Trail trail, KubernetesClient client, RunningOperator operator) {
        this.cluster = cluster;
        this.trail = trail;
        this.client = client;
        this.operator = operator;
    }

    /**
     * Installs the operator's kinds and runs it.
     *
     * @param cluster is closed with this, and when this fails
     */
    static OperatorBed start(TestCluster cluster, OperatorDefinition definition) {
        Trail trail = new Trail();
        RunningOperator operator = new RunningOperator(definition, cluster, trail);
        KubernetesClient client = null;
        try {
            Config config = cluster.config();
            config.setRequestRetryBackoffLimit(0); // what a test asks for is told as it is answered
            client = new KubernetesClientBuilder()
                    .withConfig(config)
                    .withHttpClientBuilderConsumer(
                            http -> http.addOrReplaceInterceptor("busbar-trail", trail.requests("test")))
                    .build();
            operator.install(client);
            operator.start();
            return new OperatorBed(cluster, trail, client, operator);
        } catch (RuntimeException failure) {
            operator.stop();
            if (client != null) {
                client.close();
            }
            cluster.close();
            throw failure;
        }
    }

    TestCluster cluster() {
        return cluster;
    }

    Trail trail() {
        return trail;
    }

    KubernetesClient client() {
        return client;
    }

    RunningOperator operator() {
        return operator;
    }

    /**
     * Deletes a test's namespace. What is in it may wait for the operator's finalizer: it is needed until that is gone.
     */
    void leave(String namespace) {
        client.namespaces().withName(namespace).delete();
        if (cluster.sandbox().isEmpty()) {
            leftNamespaces.add(namespace);
        }
    }

    private void awaitLeft() {
        for (String namespace : leftNamespaces) {
            try {
                client.namespaces()
                        .withName(namespace)
                        .waitUntilCondition(Objects::isNull, PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (KubernetesClientTimeoutException stays) {
                log.atWarn()
                        .addKeyValue("namespace", namespace)
                        .log("a test's namespace does not go: something in it may wait for its finalizers");
            }
        }
    }

    @Override
    public void close() {
        try {
            awaitLeft();
            operator.stop();
            if (cluster.sandbox().isEmpty()) {
                unregister();
            }
        } finally {
            client.close();
            cluster.close();
        }
    }

    /** With nobody behind its webhooks, what they are asked about could not be made, nor read where they convert. */
    private void unregister() {
        OperatorDefinition definition = operator.definition();
        for (String kind : List.of("mutating", "validating")) {
            try {
                client.raw(
                        "/apis/admissionregistration.k8s.io/v1/" + kind + "webhookconfigurations/" + definition.name()
                                + "-" + kind + "-webhook-configuration",
                        "DELETE",
                        null);
            } catch (KubernetesClientException failure) {
                if (failure.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                    throw failure;
                }
            }
        }
        if (definition.bundles().stream()
                .anyMatch(bundle -> !bundle.conversions().isEmpty())) {
            operator.install(client);
        }
    }
}

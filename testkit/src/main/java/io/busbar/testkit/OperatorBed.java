package io.busbar.testkit;

import io.busbar.runtime.bundle.OperatorDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;

/**
 * A cluster with an operator on it, and a client of the cluster's admin.
 *
 * <p>Any thread; {@link #start} and {@link #close} block.
 */
final class OperatorBed implements AutoCloseable {

    private final TestCluster cluster;
    private final Trail trail;
    private final KubernetesClient client;
    private final RunningOperator operator;

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

    @Override
    public void close() {
        try {
            operator.stop();
            if (cluster.sandbox().isEmpty()) {
                leave();
            }
        } finally {
            client.close();
            cluster.close();
        }
    }

    /** With nobody behind its webhooks, what they are asked about could not be made, nor read where they convert. */
    private void leave() {
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

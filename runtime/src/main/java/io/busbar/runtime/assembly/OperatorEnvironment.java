package io.busbar.runtime.assembly;

import io.busbar.common.trace.Tracing;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;

/**
 * What an operator runs with.
 *
 * <p>Immutable.
 *
 * @param vertx in which other operators may run
 * @param meters the operator's own: others in the same Vert.x have theirs
 * @param tracing of what it does; it may be off
 * @param clusters clients of the other clusters that the operator works in, by names of 1 to 63 lower-case letters,
 *     digits
 *     and {@code -}
 * @param name of the operator: those of its webhook configurations begin with it
 * @param version of the operator, for people
 * @param instance which of several replicas this is, such as the name of its Pod
 * @param interceptors that look at the requests of the clients which are made for it, too
 */
public record OperatorEnvironment(
        Vertx vertx,
        KubernetesClient client,
        Map<String, KubernetesClient> clusters,
        PrometheusMeterRegistry meters,
        Tracing tracing,
        String name,
        String version,
        String instance,
        List<Interceptor> interceptors) {

    private static final String UNKNOWN = "unknown";

    /**
     * @throws IllegalArgumentException when the name of a cluster is none
     */
    public OperatorEnvironment {
        clusters = Map.copyOf(clusters);
        interceptors = List.copyOf(interceptors);
        for (String cluster : clusters.keySet()) {
            if (!cluster.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
                throw new IllegalArgumentException("name of a cluster: '" + cluster
                        + "', allowed: 1 to 63 lower-case letters, digits and '-', a letter or a digit first and last");
            }
        }
    }

    /** Of no version; nobody else looks at its requests. */
    public OperatorEnvironment(
            Vertx vertx,
            KubernetesClient client,
            Map<String, KubernetesClient> clusters,
            PrometheusMeterRegistry meters,
            Tracing tracing,
            String name,
            String instance) {
        this(vertx, client, clusters, meters, tracing, name, UNKNOWN, instance, List.of());
    }

    /** One cluster alone. */
    public OperatorEnvironment(
            Vertx vertx,
            KubernetesClient client,
            PrometheusMeterRegistry meters,
            Tracing tracing,
            String name,
            String instance) {
        this(vertx, client, Map.of(), meters, tracing, name, instance);
    }
}

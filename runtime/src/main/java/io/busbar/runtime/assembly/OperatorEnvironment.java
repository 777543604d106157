package io.busbar.runtime.assembly;

import io.busbar.common.trace.Tracing;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;

/**
 * What an operator runs with.
 *
 * <p>Immutable.
 *
 * @param vertx in which other operators may run
 * @param meters the operator's own: others in the same Vert.x have theirs
 * @param tracing of what it does; it may be off
 * @param name of the operator: those of its webhook configurations begin with it
 * @param instance which of several replicas this is, such as the name of its Pod
 */
public record OperatorEnvironment(
        Vertx vertx,
        KubernetesClient client,
        PrometheusMeterRegistry meters,
        Tracing tracing,
        String name,
        String instance) {}

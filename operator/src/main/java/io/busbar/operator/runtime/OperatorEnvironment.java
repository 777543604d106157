package io.busbar.operator.runtime;

import io.busbar.manifests.webhook.WebhookConfigurations;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;

/**
 * What an operator runs with.
 *
 * <p>Immutable.
 *
 * @param webhooks how its webhooks are to be registered, where it does so itself
 * @param instance which of several replicas this is, such as the name of its Pod
 */
public record OperatorEnvironment(
        Vertx vertx,
        KubernetesClient client,
        PrometheusMeterRegistry meters,
        WebhookConfigurations webhooks,
        String instance) {}

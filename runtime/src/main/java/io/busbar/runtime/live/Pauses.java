package io.busbar.runtime.live;

import io.busbar.reconciler.Controller;
import io.busbar.runtime.live.LivePage.Target;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Sets and takes away the annotation that keeps an object from being reconciled; with the rights of who asks for it, as
 * the operator needs none to write that.
 *
 * <p>Any context; blocks a worker for the time of a request.
 *
 * @param asCaller whether the token of who asks is the cluster's; else the operator's own rights are used
 */
public record Pauses(Vertx vertx, KubernetesClient client, boolean asCaller) {

    /**
     * @param token of who asks
     * @return fails with what the API server says
     */
    Future<Void> set(Target target, boolean paused, String token) {
        return vertx.executeBlocking(
                () -> {
                    if (!asCaller) {
                        annotate(client, target, paused ? "true" : null);
                        return null;
                    }
                    try (KubernetesClient caller = new KubernetesClientBuilder()
                            .withConfig(of(client.getConfiguration(), token))
                            .build()) {
                        annotate(caller, target, paused ? "true" : null);
                        return null;
                    }
                },
                false);
    }

    private static void annotate(KubernetesClient client, Target target, @Nullable String value) {
        JsonObject annotations = new JsonObject().put(Controller.pauseAnnotation(), value);
        JsonObject patch = new JsonObject().put("metadata", new JsonObject().put("annotations", annotations));
        var all = client.genericKubernetesResources(target.type().clientContext());
        var one = target.key().namespace().isEmpty()
                ? all.withName(target.key().name())
                : all.inNamespace(target.key().namespace())
                        .withName(target.key().name());
        one.patch(PatchContext.of(PatchType.JSON_MERGE), patch.encode());
    }

    /** The same server, and nothing that says who the operator is. */
    private static Config of(Config own, String token) {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl(own.getMasterUrl())
                .withCaCertData(own.getCaCertData())
                .withCaCertFile(own.getCaCertFile())
                .withTrustCerts(own.isTrustCerts())
                .withDisableHostnameVerification(own.isDisableHostnameVerification())
                .withHttpProxy(own.getHttpProxy())
                .withHttpsProxy(own.getHttpsProxy())
                .withNoProxy(own.getNoProxy())
                .withRequestTimeout(own.getRequestTimeout())
                .withOauthToken(token)
                .build();
    }
}

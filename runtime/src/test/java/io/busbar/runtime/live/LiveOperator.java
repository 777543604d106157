package io.busbar.runtime.live;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.busbar.admission.AdmissionDecision;
import io.busbar.common.trace.Tracing;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.runtime.assembly.Operator;
import io.busbar.runtime.assembly.OperatorEnvironment;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.KindBundle;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.bundle.Webhook;
import io.busbar.runtime.bundle.Widget;
import io.busbar.runtime.options.BindAddress;
import io.busbar.runtime.options.LiveOptions;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.telemetry.Telemetry;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;

/** An operator of ConfigMaps with a live page, in a simulated cluster where roles count. For plain threads. */
final class LiveOperator implements AutoCloseable {

    /** What a person from somewhere might put into a message. */
    static final String HOSTILE =
            "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>"
                    + " \u202eesrever &amp; ' \" ";

    final Vertx vertx = Vertx.vertx();
    final KubernetesClient client;
    private final Sandbox sandbox;
    private final Operator operator;
    private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
    private final BlockingQueue<String> addresses = new LinkedBlockingQueue<>();

    /** @param printsAddresses rather than that the cluster is asked who may look */
    LiveOperator(boolean printsAddresses) throws Exception {
        sandbox = VertxSandbox.start(vertx, SandboxOptions.defaults().withRbac(true))
                .await(60, SECONDS);
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(sandbox.kubeconfig()))
                .build();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("shop-system")
                        .endMetadata()
                        .build())
                .create();
        client.resource(OperatorDefinition.of(new KindBundle(Widget.class))
                        .manifests()
                        .files()
                        .get("config/rbac/live_reader_role.yaml"))
                .create();
        operator = new Operator(
                new OperatorEnvironment(vertx, client, Telemetry.registry(), Tracing.off(), "shop", "shop-0"),
                OperatorOptions.besideCluster("shop").toBuilder()
                        .live(new LiveOptions(
                                BindAddress.loopback(),
                                printsAddresses ? Optional.of(addresses::add) : Optional.empty()))
                        .flags(Map.of("zone", HOSTILE))
                        .build(),
                List.of(new Maps()));
        operator.start().await(60, SECONDS);
    }

    private final class Maps implements Bundle {

        @Override
        public String name() {
            return "maps";
        }

        @Override
        public List<Controller<?>> controllers(BundleContext context) {
            return List.of(
                    Controller.<ConfigMap>of(ConfigMap.class, LiveOperator.this::reconcile)
                            .named("maps")
                            .owns(Secret.class),
                    Controller.<Secret>of(Secret.class, (secret, its) -> ReconcileResult.awaitChange())
                            .named("secrets"));
        }

        @Override
        public List<Webhook> webhooks(BundleContext context) {
            return List.of(Webhook.mutating(
                    Secret.class,
                    request -> request.name().startsWith("bad")
                            ? AdmissionDecision.forbidden(HOSTILE.repeat(100))
                            : AdmissionDecision.allowed()));
        }
    }

    private ReconcileResult reconcile(ConfigMap map, ReconcileContext<ConfigMap> its) throws Exception {
        String name = map.getMetadata().getName();
        CountDownLatch latch = held.get(name);
        if (latch != null) {
            latch.await();
        }
        if (name.startsWith("bad")) {
            throw new IllegalStateException(HOSTILE);
        }
        if (name.startsWith("copied")) {
            its.create(secret(name + "-copy"));
        }
        return ReconcileResult.awaitChange();
    }

    /** Has the reconcile of a ConfigMap take long. */
    void hold(String name) {
        held.put(name, new CountDownLatch(1));
    }

    void release(String name) {
        Objects.requireNonNull(held.remove(name), name).countDown();
    }

    void createMap(String name) {
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .endMetadata()
                        .addToData("text", HOSTILE)
                        .build())
                .create();
    }

    static Secret secret(String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    /**
     * The token of somebody new.
     *
     * @param role that they have in the whole cluster, such as {@code live-reader}, as the manifests ship it
     */
    String account(String name, Optional<String> role) {
        var accounts = client.serviceAccounts().inNamespace("default");
        accounts.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        role.ifPresent(allowed -> client.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", allowed)
                        .addNewSubject("", "ServiceAccount", name, "default")
                        .build())
                .create());
        return accounts.withName(name)
                .tokenRequest(new TokenRequest())
                .getStatus()
                .getToken();
    }

    /** One that is printed, and good for one session. */
    String address() throws InterruptedException {
        return Objects.requireNonNull(addresses.poll(60, SECONDS), "no address is printed");
    }

    int port() {
        return operator.livePort().orElseThrow();
    }

    @Override
    public void close() throws IOException, TimeoutException {
        held.values().forEach(CountDownLatch::countDown);
        operator.stop().await(60, SECONDS);
        client.close();
        sandbox.close();
        vertx.close().await(60, SECONDS);
    }
}

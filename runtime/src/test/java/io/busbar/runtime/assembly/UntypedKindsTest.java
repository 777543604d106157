package io.busbar.runtime.assembly;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.common.UntypedResource;
import io.busbar.common.bus.BusCodec;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.work.Controllers;
import io.busbar.reconciler.work.WorkerThreads;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.busbar.watcher.WatchGroup;
import io.busbar.watcher.Watches;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A controller of one kind that has no model, which owns another. */
@KubernetesSandbox
class UntypedKindsTest {

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: %1$ss.example.com}
            spec:
              group: example.com
              names: {kind: %2$s, plural: %1$ss, singular: %1$s, listKind: %2$sList}
              scope: Namespaced
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    @Group("example.com")
    @Version("v1")
    public static final class Widget extends UntypedResource implements Namespaced {
        private static final long serialVersionUID = 1;
    }

    @Group("example.com")
    @Version("v1")
    public static final class Gadget extends UntypedResource implements Namespaced {
        private static final long serialVersionUID = 1;
    }

    @Test
    void are_watched_read_and_written_as_others_are(KubernetesClient client) throws Exception {
        define(client, "widget", "Widget");
        define(client, "gadget", "Gadget");
        Vertx vertx = Vertx.vertx();
        BusCodec.registerAll(vertx.eventBus());
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        Watches watches = new Watches(vertx, client, meters);
        Controllers controllers = new Controllers(vertx, client, watches, meters, WorkerThreads.PLATFORM, "test");
        try {
            Controller<Widget> controller =
                    Controller.of(Widget.class, UntypedKindsTest::reconcile).owns(Gadget.class);
            AtomicReference<WatchGroup> group = new AtomicReference<>();
            controllers.deploy(controller, cluster -> group.get()).await(60, SECONDS);
            group.set(watches.acquire(controller.watchRequests()));
            group.get().synced().await(60, SECONDS);
            controllers.start().await(60, SECONDS);

            client.resource(widget(1)).create();
            await().atMost(Duration.ofSeconds(60)).until(() -> "1".equals(status(client)));
            client.resource(widget(2)).patch();
            await().atMost(Duration.ofSeconds(60)).until(() -> "2".equals(status(client)));
            client.genericKubernetesResources("example.com/v1", "Gadget")
                    .inNamespace("default")
                    .withName("w")
                    .delete();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> client.resources(Gadget.class)
                                    .inNamespace("default")
                                    .withName("w")
                                    .get()
                            != null);
            Gadget again = client.resources(Gadget.class)
                    .inNamespace("default")
                    .withName("w")
                    .get();
            assertThat(again.<Integer>get("spec", "size")).isEqualTo(2);
            assertThat(again.getMetadata().getOwnerReferences())
                    .singleElement()
                    .satisfies(owner -> assertThat(owner.getKind()).isEqualTo("Widget"));
        } finally {
            controllers.stop(Duration.ZERO).await(60, SECONDS);
            watches.close().await(60, SECONDS);
            vertx.close().await(60, SECONDS);
        }
    }

    private static ReconcileResult reconcile(Widget widget, ReconcileContext<Widget> context) {
        Gadget gadget = new Gadget();
        gadget.setMetadata(new ObjectMetaBuilder()
                .withNamespace(widget.getMetadata().getNamespace())
                .withName(widget.getMetadata().getName())
                .build());
        gadget.setAdditionalProperty("spec", widget.get("spec"));
        context.apply(gadget);
        Widget reported = new Widget();
        reported.setMetadata(widget.getMetadata());
        Gadget made = context.owned(Gadget.class).get(0);
        reported.setAdditionalProperty("status", Map.of("size", String.valueOf(made.<Object>get("spec", "size"))));
        context.status(reported);
        return ReconcileResult.awaitChange();
    }

    private static Widget widget(int size) {
        Widget widget = new Widget();
        widget.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName("w").build());
        widget.setAdditionalProperty("spec", Map.of("size", size));
        return widget;
    }

    private static String status(KubernetesClient client) {
        GenericKubernetesResource widget = client.genericKubernetesResources("example.com/v1", "Widget")
                .inNamespace("default")
                .withName("w")
                .get();
        return widget == null ? "none" : String.valueOf(widget.<Object>get("status", "size"));
    }

    private static void define(KubernetesClient client, String name, String kind) {
        client.resource(Serialization.unmarshal(DEFINITION.formatted(name, kind), CustomResourceDefinition.class))
                .create();
        await().atMost(Duration.ofMinutes(1))
                .until(() -> client
                        .apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName(name + "s.example.com")
                        .get()
                        .getStatus()
                        .getConditions()
                        .stream()
                        .anyMatch(condition ->
                                "Established".equals(condition.getType()) && "True".equals(condition.getStatus())));
    }
}

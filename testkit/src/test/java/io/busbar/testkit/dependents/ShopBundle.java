package io.busbar.testkit.dependents;

import io.busbar.common.condition.Conditions;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.dependent.DependentStates;
import io.busbar.reconciler.dependent.Dependents;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Shops: a graph of four dependents. */
public final class ShopBundle implements Bundle {

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        Dependents<Shop> dependents = Dependents.of(Shop.class)
                .addExternal(
                        "bucket",
                        new Buckets(),
                        bucket -> bucket.lookedAtEvery(Duration.ofMillis(200))
                                .readyWhen(any -> Buckets.SLOW.stream()
                                        .noneMatch(slow -> any.address().equals("bucket://" + slow))))
                .addFrom(
                        "settings",
                        ConfigMap.class,
                        ShopBundle::settings,
                        settings -> settings.after("bucket").named(ShopBundle::name))
                .add("app", Deployment.class, ShopBundle::app, app -> app.after("settings"))
                .add(
                        "door",
                        Service.class,
                        ShopBundle::door,
                        door -> door.after("app")
                                .onlyIf(shop -> shop.getSpec().open())
                                .named(ShopBundle::name));
        return List.of(dependents
                .ownedBy(Controller.of(Shop.class, new ShopReconciler(dependents)))
                .finalizer("sample.example.com/shop"));
    }

    private record ShopReconciler(Dependents<Shop> dependents) implements Reconciler<Shop> {

        @Override
        public ReconcileResult reconcile(Shop shop, ReconcileContext<Shop> context) throws Exception {
            DependentStates states = dependents.reconcile(shop, context);
            Conditions conditions = states.rollout().conditions(Conditions.of(shop, Instant.now()));
            context.status(shop.with(new Shop.Status(conditions.list(), conditions.observedGeneration())));
            return states.result();
        }

        @Override
        public CleanupResult cleanup(Shop shop, ReconcileContext<Shop> context) throws Exception {
            return dependents.cleanup(shop, context);
        }
    }

    private static ConfigMap settings(Shop shop, DependentStates others) {
        Buckets.Bucket bucket = others.find("bucket", Buckets.Bucket.class).orElseThrow();
        return new ConfigMapBuilder()
                .withMetadata(metadata(shop))
                .withData(Map.of("bucket", bucket.address()))
                .build();
    }

    private static Deployment app(Shop shop) {
        return new DeploymentBuilder()
                .withMetadata(metadata(shop))
                .withNewSpec()
                .withReplicas(1)
                .withNewSelector()
                .addToMatchLabels("shop", name(shop))
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("shop", name(shop))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("app")
                .withImage("shop:1")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private static Service door(Shop shop) {
        return new ServiceBuilder()
                .withMetadata(metadata(shop))
                .withNewSpec()
                .addToSelector("shop", name(shop))
                .addNewPort()
                .withPort(80)
                .endPort()
                .endSpec()
                .build();
    }

    private static ObjectMeta metadata(Shop shop) {
        return new ObjectMetaBuilder()
                .withName(name(shop))
                .withNamespace(shop.getMetadata().getNamespace())
                .build();
    }

    private static String name(Shop shop) {
        return shop.getMetadata().getName();
    }
}

package io.busbar.testkit.dependents;

import io.busbar.common.ObjectKey;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.dependent.External;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Buckets of a provider that is a map. Any thread. */
final class Buckets implements External<Shop, Buckets.Bucket> {

    record Bucket(String address) {}

    /** Whose buckets are not ready yet. */
    static final Set<ObjectKey> SLOW = ConcurrentHashMap.newKeySet();

    /** Whose buckets cannot be reached. */
    static final Set<ObjectKey> AWAY = ConcurrentHashMap.newKeySet();

    static final Map<ObjectKey, Bucket> BUCKETS = new ConcurrentHashMap<>();

    /** What was in the cluster when a bucket went. */
    static final List<String> LEFT = new CopyOnWriteArrayList<>();

    @Override
    public Bucket desired(Shop shop) {
        return new Bucket("bucket://" + ObjectKey.of(shop));
    }

    @Override
    public Optional<Bucket> actual(Shop shop, ReconcileContext<Shop> context) {
        if (AWAY.contains(context.key())) {
            throw new IllegalStateException("no route to the provider");
        }
        return Optional.ofNullable(BUCKETS.get(context.key()));
    }

    @Override
    public Bucket create(Shop shop, Bucket desired, ReconcileContext<Shop> context) {
        BUCKETS.put(context.key(), desired);
        return desired;
    }

    @Override
    public Bucket update(Shop shop, Bucket desired, Bucket actual, ReconcileContext<Shop> context) {
        return create(shop, desired, context);
    }

    @Override
    public void delete(Shop shop, Bucket actual, ReconcileContext<Shop> context) {
        String namespace = context.key().namespace();
        context.client().apps().deployments().inNamespace(namespace).list().getItems().stream()
                .filter(left ->
                        left.getMetadata().getName().equals(context.key().name()))
                .forEach(left -> LEFT.add("Deployment " + context.key()));
        context.client().configMaps().inNamespace(namespace).list().getItems().stream()
                .filter(left ->
                        left.getMetadata().getName().equals(context.key().name()))
                .forEach(left -> LEFT.add("ConfigMap " + context.key()));
        BUCKETS.remove(context.key());
    }
}

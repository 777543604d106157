package io.busbar.reconciler.dependent;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Lister;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.ObjectNotOwnedException;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is applied is there at once, and owned; what is deleted is there until it is {@link #gone}. It does not imitate:
 * merging, and anything but apply, delete and owned.
 */
final class OwnedObjects implements ReconcileContext<ConfigMap> {

    final Map<String, HasMetadata> objects = new LinkedHashMap<>();
    final List<String> applied = new ArrayList<>();
    final List<String> deleted = new ArrayList<>();
    String refused = "";
    String foreign = "";
    int code = 422;

    @Nullable
    KubernetesClient client;

    void complete(String deployment) {
        Deployment there = (Deployment) objects.get("Deployment " + deployment);
        int replicas = there.getSpec().getReplicas();
        objects.put(
                "Deployment " + deployment,
                there.edit()
                        .withNewStatus()
                        .withObservedGeneration(1L)
                        .withReplicas(replicas)
                        .withUpdatedReplicas(replicas)
                        .withReadyReplicas(replicas)
                        .withAvailableReplicas(replicas)
                        .endStatus()
                        .build());
    }

    /** What was deleted has ended. */
    void gone(String name) {
        objects.remove(name);
    }

    @Override
    @SuppressWarnings("unchecked") // stored under its kind
    public <T extends HasMetadata> T apply(T desired, Apply how) {
        String name = desired.getKind() + " " + desired.getMetadata().getName();
        if (name.equals(foreign)) {
            throw ObjectNotOwnedException.of(desired);
        }
        if (name.equals(refused)) {
            throw new KubernetesClientException("no", code, null);
        }
        applied.add(name);
        return (T) objects.computeIfAbsent(name, absent -> desired);
    }

    @Override
    public <T extends HasMetadata> List<T> owned(Class<T> type) {
        return objects.values().stream()
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    @Override
    public void delete(HasMetadata object) {
        deleted.add(object.getKind() + " " + object.getMetadata().getName());
        object.getMetadata().setDeletionTimestamp("2030-01-01T00:00:00Z");
    }

    @Override
    public ObjectKey key() {
        return ObjectKey.of("ns", "owner");
    }

    @Override
    public String reconcileId() {
        return "r-1";
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
        throw new UnsupportedOperationException("lister");
    }

    @Override
    public <T extends HasMetadata> T create(T desired) {
        throw new UnsupportedOperationException("create");
    }

    @Override
    public void delete(HasMetadata object, Duration gracePeriod) {
        throw new UnsupportedOperationException("delete");
    }

    @Override
    public ConfigMap status(ConfigMap desired) {
        throw new UnsupportedOperationException("status");
    }

    @Override
    public <T extends HasMetadata> T remember(T written) {
        throw new UnsupportedOperationException("remember");
    }

    @Override
    public EventRecorder events() {
        throw new UnsupportedOperationException("events");
    }

    @Override
    public KubernetesClient client() {
        if (client == null) {
            throw new UnsupportedOperationException("client");
        }
        return client;
    }
}

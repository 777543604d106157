package io.busbar.operator.mysqlcluster.simulation;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Lister;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * What reconciles of a MySQLCluster read and write. It does not imitate: the lag of a watch, ownership (all objects are
 * the cluster's), conflicts, aggregation of Events. What is applied replaces what is there but for a StatefulSet's
 * status. Any thread; all that changes something goes through {@link Calls}.
 */
final class SimulatedContext implements ReconcileContext<MySQLCluster>, EventRecorder {

    /** Every Event, as {@code reason: note}. */
    final List<String> events = new CopyOnWriteArrayList<>();

    private final SimulatedObjects objects;
    private final Calls calls;
    private final Clock clock;
    private final KubernetesClient client;
    private final ObjectKey key;
    private final Map<String, HasMetadata> applied = new HashMap<>();
    private int statuses;

    SimulatedContext(SimulatedObjects objects, Calls calls, Clock clock, ObjectKey key) {
        this.objects = objects;
        this.calls = calls;
        this.clock = clock;
        this.key = key;
        this.client = SimulatedApi.client(this::answer);
    }

    void copyFrom(SimulatedContext other) {
        applied.putAll(other.applied);
    }

    private SimulatedApi.Answer answer(String method, String path, String body) throws IOException {
        if (method.equals("GET")) {
            return calls.ask(path, () -> objects.answer(method, path, body));
        }
        String what = method + " " + path.replaceFirst(".*/default/", "") + (path.contains("/pods/") ? " " + body : "");
        return calls.<SimulatedApi.Answer, IOException>change(
                what, () -> objects.answer(method, path, body), IOException::new);
    }

    private <R> R change(String what, Calls.Call<R, RuntimeException> call) {
        Function<String, RuntimeException> failure = KubernetesClientException::new;
        return calls.change(what, call, failure);
    }

    /** How often the status was written. */
    int statuses() {
        return statuses;
    }

    /** As the API server has it. */
    MySQLCluster cluster() {
        MySQLCluster stored = objects.of(MySQLCluster.class).get(key).orElseThrow();
        return stored.with(stored.told());
    }

    private static <T> T copy(T object) {
        return Serialization.clone(object);
    }

    @Override
    public ObjectKey key() {
        return key;
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
        return objects.of(type);
    }

    @Override
    public <T extends HasMetadata> List<T> owned(Class<T> type) {
        return objects.of(type).list();
    }

    @Override
    @SuppressWarnings("unchecked") // the class of an object is its type
    public <T extends HasMetadata> T apply(T desired, Apply how) {
        Optional<T> before = objects.of((Class<T>) desired.getClass()).get(ObjectKey.of(desired));
        String name = desired.getKind() + " " + desired.getMetadata().getName();
        if (before.isPresent() && desired.equals(applied.get(name))) {
            return before.get();
        }
        T next = copy(desired);
        ObjectMeta metadata = next.getMetadata();
        metadata.setUid("uid-" + desired.getKind() + "-" + metadata.getName());
        metadata.setGeneration(
                before.map(object -> object.getMetadata().getGeneration()).orElse(1L));
        if (next instanceof StatefulSet set && before.isPresent()) {
            set.setStatus(((StatefulSet) before.get()).getStatus());
        }
        if (before.isPresent()) {
            metadata.setGeneration(metadata.getGeneration() + 1);
        }
        return change("apply " + name, () -> {
            applied.put(name, desired);
            objects.put(next);
            return next;
        });
    }

    @Override
    public <T extends HasMetadata> T create(T desired) {
        return change("create " + desired.getMetadata().getName(), () -> {
            T made = copy(desired);
            String name = made.getMetadata().getName();
            if (objects.of(desired.getClass()).get(ObjectKey.of(desired)).isPresent()) {
                throw new KubernetesClientException(name + " exists", 409, null);
            }
            made.getMetadata().setUid("uid-" + name + "-" + clock.instant());
            made.getMetadata().setCreationTimestamp(clock.instant().toString());
            objects.put(made);
            return made;
        });
    }

    @Override
    public void delete(HasMetadata object) {
        delete("delete " + object.getMetadata().getName(), object);
    }

    @Override
    public void delete(HasMetadata object, Duration gracePeriod) {
        delete("delete " + object.getMetadata().getName() + " within " + gracePeriod, object);
    }

    private void delete(String what, HasMetadata object) {
        change(what, () -> {
            objects.of(object.getClass()).get(ObjectKey.of(object)).ifPresent(there -> {
                HasMetadata going = copy(there);
                going.getMetadata().setDeletionTimestamp(clock.instant().toString());
                objects.put(going);
            });
            return true;
        });
    }

    @Override
    public MySQLCluster status(MySQLCluster desired) {
        if (Objects.equals(desired.told(), cluster().told())) {
            return cluster();
        }
        return change("status", () -> {
            statuses++;
            objects.put(cluster().with(copy(desired.told())));
            return cluster();
        });
    }

    @Override
    public <T extends HasMetadata> T remember(T written) {
        return written;
    }

    @Override
    public EventRecorder events() {
        return this;
    }

    @Override
    public KubernetesClient client() {
        return client;
    }

    @Override
    public void normal(HasMetadata regarding, String reason, String action, String note) {
        calls.ask("tell", () -> events.add(reason + ": " + note));
    }

    @Override
    public void warning(HasMetadata regarding, String reason, String action, String note) {
        normal(regarding, reason, action, note);
    }
}

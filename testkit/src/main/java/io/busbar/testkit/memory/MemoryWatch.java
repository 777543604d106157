package io.busbar.testkit.memory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.common.guard.Guard;
import io.busbar.common.guard.SlowCalls;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Reached;
import io.busbar.common.watch.WatchSpec;
import io.busbar.sandbox.DirectSandbox.Change;
import io.busbar.sandbox.select.FieldSelector;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.watcher.store.DecodedObjects;
import io.busbar.watcher.store.Store;
import io.busbar.watcher.store.StoreChange;
import io.busbar.watcher.wire.ResponseParser;
import io.busbar.watcher.wire.Signal;
import io.busbar.watcher.wire.UnreadableResponseException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One watch: the watcher's own parser and store, fed with what changes in memory, at once or later.
 *
 * <p>Written by one thread at a time, read from any.
 */
final class MemoryWatch<T extends HasMetadata> implements Lister<T> {

    private static final long MOST_BYTES = 1 << 24;

    private final WatchSpec<T> spec;
    private final Store<T> store;
    private final ResponseParser parser;
    private final LabelSelector labels;
    private final FieldSelector fields;
    private final boolean anyIndex;
    private final Consumer<ResourceChanged> told;
    private final Deque<Pending> pending = new ArrayDeque<>();
    private final List<Signal> signals = new ArrayList<>();
    private boolean held;
    private int lag;
    private int turn;

    /** @param due the turn that sees it first */
    private record Pending(Change change, int due) {}

    /**
     * @param anyIndex whether an index works that was not declared
     * @param told of each change that is stored
     */
    MemoryWatch(
            WatchSpec<T> spec,
            List<Index<T>> indexes,
            boolean anyIndex,
            KubernetesSerialization serialization,
            Consumer<ResourceChanged> told) {
        this.spec = spec;
        this.anyIndex = anyIndex;
        this.told = told;
        this.labels = LabelSelector.parse(spec.labelSelector());
        this.fields = FieldSelector.parse(spec.fieldSelector());
        this.parser = new ResponseParser(spec, signals::add);
        MeterRegistry meters = new SimpleMeterRegistry();
        this.store = new Store<>(
                "memory-" + spec.resource(),
                spec,
                serialization,
                new DecodedObjects(MOST_BYTES),
                MemoryWatch::unfit,
                new Guard("index", meters),
                new SlowCalls("index", meters));
        indexes.forEach(store::declare);
    }

    private static void unfit(ObjectKey key, Throwable why) {
        throw new IllegalArgumentException(key + " does not fit its model class", why);
    }

    WatchSpec<T> spec() {
        return spec;
    }

    /** Stores what is there when the watch begins. */
    void begin(List<ObjectNode> objects, String resourceVersion) {
        objects.forEach(object -> store(new Change(spec.resource().toString(), false, object, null), resourceVersion));
        store.reach(null, resourceVersion);
        store.markSynced();
    }

    /** From now on, changes are seen so many turns late; 0 is at once. */
    void lagBehind(int turns) {
        lag = turns;
    }

    /** From now on, nothing is seen. */
    void hold() {
        held = true;
    }

    /** Sees all, and is late no more. */
    void release() {
        held = false;
        lag = 0;
        pass(Integer.MAX_VALUE);
    }

    void turnBegins(int number) {
        turn = number;
        if (!held) {
            pass(number);
        }
    }

    private void pass(int due) {
        while (!pending.isEmpty() && pending.element().due() <= due) {
            see(pending.remove().change());
        }
    }

    /** Something has changed, of whatever kind: a watch that is not late has come that far by it. */
    void changed(Change change) {
        if (held || lag > 0 || !pending.isEmpty()) {
            pending.add(new Pending(change, turn + lag));
        } else {
            see(change);
        }
    }

    private void see(Change change) {
        String version =
                change.object().path("metadata").path("resourceVersion").asText();
        if (change.resource().equals(spec.resource().toString())) {
            store(change, version);
        } else {
            store.reach(null, version);
        }
    }

    private void store(Change change, String version) {
        JsonNode metadata = change.object().path("metadata");
        String namespace = metadata.path("namespace").asText("");
        if (!spec.namespaces().isEmpty() && !spec.namespaces().contains(namespace)) {
            store.reach(null, version);
            return;
        }
        boolean meant = labels.matches(metadata.path("labels")) && fields.matches(change.object());
        List<StoreChange<T>> changes = new ArrayList<>();
        for (Signal signal : parsed(change.object(), change.deleted() || !meant)) {
            if (signal instanceof Signal.Deleted deleted) {
                changes.addAll(store.remove(store.prepare(deleted.object())));
            } else if (signal instanceof Signal.Changed changed) {
                changes.addAll(store.put(store.prepare(changed.object()), !store.synced()));
            }
        }
        store.reach(null, version);
        changes.forEach(one -> told.accept(
                new ResourceChanged(spec.resource(), store.watch(), one.key(), one.kind(), one.resourceVersion())));
    }

    private List<Signal> parsed(ObjectNode object, boolean deleted) {
        ObjectNode event = JsonNodeFactory.instance.objectNode();
        event.put("type", deleted ? "DELETED" : "MODIFIED").set("object", object);
        signals.clear();
        try {
            parser.feed(ByteBuffer.wrap(event.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (UnreadableResponseException impossible) {
            throw new IllegalStateException(impossible);
        }
        return List.copyOf(signals);
    }

    @Override
    public Optional<T> get(ObjectKey key) {
        return store.get(key);
    }

    @Override
    public List<T> list() {
        return store.list();
    }

    @Override
    public List<T> list(String namespace) {
        return store.list(namespace);
    }

    @Override
    public List<T> by(Index<T> index, String value) {
        if (anyIndex && store.declare(index)) {
            store.keys(null).forEach(key -> store.file(index, key));
        }
        return store.by(index, value);
    }

    @Override
    public int size() {
        return store.size();
    }

    @Override
    public boolean synced() {
        return store.synced();
    }

    @Override
    public String watch() {
        return store.watch();
    }

    @Override
    public Reached reached(String namespace) {
        return store.reached(namespace);
    }
}

package io.busbar.operator.sidecarset.roll;

import io.busbar.operator.sidecarset.pod.JsonPatch;
import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The Pods of a context, with something that happens in between. Any thread. */
final class StoredPods implements PodWrites {

    /** The Pods that were patched, in order: {@code name} for the Pod, {@code name/status} for its status. */
    final List<String> patched = new ArrayList<>();

    /** What happens before the next requests, one each: to change a Pod behind the roll's back, or to fail. */
    final Deque<Consumer<Pod>> before = new ArrayDeque<>();

    private final InMemoryContext<?> context;
    private final ClientPodWrites writes;

    StoredPods(InMemoryContext<?> context) {
        this.context = context;
        this.writes = new ClientPodWrites(context.client());
    }

    @Override
    public Optional<Pod> read(Pod pod) {
        return writes.read(pod);
    }

    @Override
    public synchronized Pod patch(Pod pod, JsonPatch patch) {
        meanwhile(pod);
        Pod written = writes.patch(pod, patch);
        patched.add(pod.getMetadata().getName());
        return written;
    }

    @Override
    public synchronized Pod patchStatus(Pod pod, JsonPatch patch) {
        meanwhile(pod);
        Pod written = writes.patchStatus(pod, patch);
        patched.add(pod.getMetadata().getName() + "/status");
        return written;
    }

    private void meanwhile(Pod pod) {
        if (!before.isEmpty()) {
            before.remove().accept(pod);
        }
    }

    /** Replaces a Pod, as somebody else. */
    void store(Pod pod) {
        context.put(pod);
    }

    List<Pod> all() {
        return context.list(Pod.class);
    }

    Pod named(String name) {
        return all().stream()
                .filter(pod -> pod.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    void remove(String name) {
        context.remove(named(name));
    }
}

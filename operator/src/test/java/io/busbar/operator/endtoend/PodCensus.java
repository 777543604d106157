package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Counts the Pods of apps in a namespace from their watch, which shows every state that they were ever in, in order.
 * Any thread.
 */
final class PodCensus implements AutoCloseable, Watcher<Pod> {

    private static final Set<String> ACTIVE_PHASES = Set.of("Pending", "Running");

    private final Set<String> everThere = new HashSet<>();
    private final Map<String, Pod> active = new HashMap<>();
    private final CountDownLatch some;
    private final Watch watch;
    private int mostActive;
    private String end = "";

    /**
     * @param some how many Pods {@link #awaitSome} waits for
     */
    PodCensus(Cluster cluster, String app, int some) {
        this(cluster, List.of(app), some);
    }

    /** Of several apps together. */
    PodCensus(Cluster cluster, List<String> apps, int some) {
        this.some = new CountDownLatch(some);
        this.watch = cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withLabelIn("app", apps.toArray(String[]::new))
                .watch(this);
    }

    @Override
    public synchronized void eventReceived(Action action, Pod pod) {
        if (action == Action.BOOKMARK || action == Action.ERROR) {
            return;
        }
        String uid = pod.getMetadata().getUid();
        if (everThere.add(uid)) {
            some.countDown();
        }
        boolean counts = action != Action.DELETED
                && !pod.isMarkedForDeletion()
                && ACTIVE_PHASES.contains(pod.getStatus().getPhase());
        if (counts) {
            active.put(uid, pod);
        } else {
            active.remove(uid);
        }
        mostActive = Math.max(mostActive, active.size());
    }

    @Override
    public synchronized void onClose(WatcherException cause) {
        end = String.valueOf(cause);
    }

    void awaitSome() throws InterruptedException {
        if (!some.await(90, TimeUnit.SECONDS)) {
            throw new AssertionError("not as many Pods in 90 s; there were " + created());
        }
    }

    /** Pods there are now, Pending or Running and not being deleted. */
    synchronized int active() {
        orFail();
        return active.size();
    }

    /** The most of them that there ever were at a time. */
    synchronized int mostActive() {
        orFail();
        return mostActive;
    }

    /** All that there ever were. */
    synchronized int created() {
        orFail();
        return everThere.size();
    }

    /**
     * There were so many, and no more. The watch of this is another one than the operator's and than that of whoever
     * looks at the objects, and may be later.
     */
    void assertCreated(Cluster cluster, int exactly) {
        cluster.eventually(() -> assertThat(created()).isGreaterThanOrEqualTo(exactly));
        assertThat(created()).as("Pods made").isEqualTo(exactly);
    }

    private void orFail() {
        if (!end.isEmpty()) {
            throw new AssertionError("the watch of the census has ended: " + end);
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}

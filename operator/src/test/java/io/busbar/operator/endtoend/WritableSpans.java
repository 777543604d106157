package io.busbar.operator.endtoend;

import io.busbar.operator.mysqlcluster.bed.DatabasePod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.ResourceNotFoundException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/**
 * When each server of a cluster took writes and the Service of the primary led to it: a server that says so twice over
 * one connection did all the time between. A {@linkplain DatabasePod#freeze frozen} one says nothing.
 *
 * <p>Threads of its own; read once it has ended.
 */
final class WritableSpans {

    private static final int PERIOD_MILLIS = 200;

    /** Each thread adds spans in order, and an answer takes some seconds at most: what overlaps lies near. */
    private static final int NEAR = 200;

    private final Databases databases;
    private final String name;
    private final List<Span> spans = new ArrayList<>();
    private final List<Thread> threads;
    private final Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean ends;

    /** Immutable. By {@link System#nanoTime}. */
    private record Span(String pod, long from, long to) {

        boolean overlaps(Span other) {
            return !pod.equals(other.pod) && from < other.to && other.from < to;
        }
    }

    private WritableSpans(Databases databases, String name, int servers) {
        this.databases = databases;
        this.name = name;
        this.threads = IntStream.range(0, servers)
                .mapToObj(i -> new Thread(() -> watch(name + "-" + i), "watch-" + i))
                .toList();
    }

    static WritableSpans watch(Databases databases, String name, int servers) {
        WritableSpans watch = new WritableSpans(databases, name, servers);
        watch.threads.forEach(Thread::start);
        return watch;
    }

    /** Whenever two took writes at once; empty is good. */
    synchronized List<String> overlaps() {
        List<String> overlaps = new ArrayList<>();
        for (int i = 0; i < spans.size(); i++) {
            for (Span later : spans.subList(i + 1, Math.min(spans.size(), i + NEAR))) {
                if (spans.get(i).overlaps(later)) {
                    overlaps.add(spans.get(i) + " and " + later);
                }
            }
        }
        return overlaps;
    }

    /** How long each server was seen to take writes. */
    synchronized Map<String, Duration> seen() {
        Map<String, Duration> seen = new TreeMap<>();
        spans.forEach(span -> seen.merge(span.pod, Duration.ofNanos(span.to - span.from), Duration::plus));
        return seen;
    }

    /** Why a server was not watched to the end; empty is good. */
    List<RuntimeException> failures() {
        return List.copyOf(failures);
    }

    private void watch(String pod) {
        try {
            while (!ends) {
                try (SqlClient client = databases.connectAsOperatorBriefly(name, pod)) {
                    watch(pod, client);
                } catch (IllegalStateException | ResourceNotFoundException | KubernetesClientException away) {
                    pause();
                }
            }
        } catch (RuntimeException unforeseen) {
            failures.add(unforeseen);
        }
    }

    private void watch(String pod, SqlClient client) {
        Optional<Long> since = Optional.empty();
        while (!ends) {
            boolean writable = client.query("SELECT @@GLOBAL.read_only").equals(List.of("0"))
                    && databases.labelled(name, "primary").contains(pod);
            long now = System.nanoTime();
            if (writable) {
                since.ifPresent(from -> add(new Span(pod, from, now)));
            }
            since = writable ? Optional.of(now) : Optional.empty();
            pause();
        }
    }

    private synchronized void add(Span span) {
        spans.add(span);
    }

    private void pause() {
        try {
            Thread.sleep(PERIOD_MILLIS);
        } catch (InterruptedException e) {
            ends = true;
        }
    }

    void end() throws InterruptedException {
        ends = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}

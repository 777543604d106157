package io.busbar.watcher.bench;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Addresses;
import io.busbar.common.bus.BusCodec;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.common.watch.WatchRequest;
import io.busbar.common.watch.WatchSpec;
import io.busbar.watcher.WatchHandle;
import io.busbar.watcher.Watches;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Measures a watch of 20,000 Pods of 4.4 KB: time to be synced, live heap, reads; the same of each of three replicas
 * that share the work, and how long one takes to get what it gains; and the way of a change to the bus.
 *
 * <p>The whole watch comes first, in a JVM that has just started, as an operator's has.
 */
public final class CacheBench {

    private static final int PODS = 20_000;
    private static final int REPLICAS = 3;
    private static final int CHANGES = 2_000;
    private static final int EVERY_MILLIS = 5;
    private static final WatchSpec<Pod> WHOLE = WatchSpec.of(Pod.class);
    private static final WatchSpec<Pod> SOME = WHOLE.keeping(
            "metadata.labels", "metadata.annotations", "spec.containers.name", "spec.containers.image", "status");

    private CacheBench() {}

    public static void main(String[] args) throws Exception {
        Process server = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        PodServer.class.getName(),
                        Integer.toString(PODS))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Vertx vertx = Vertx.vertx();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
            String url = "http://127.0.0.1:" + lines.readLine();
            BusCodec.registerAll(vertx.eventBus());
            try (KubernetesClient client = new KubernetesClientBuilder()
                    .withConfig(new ConfigBuilder().withMasterUrl(url).build())
                    .build()) {
                Watches watches = new Watches(vertx, client, new SimpleMeterRegistry());
                measure("whole, cold JVM", watches, WHOLE);
                measure("whole", watches, WHOLE);
                measure("some fields", watches, SOME);
                Watches sharing = new Watches(vertx, client, new SimpleMeterRegistry());
                for (int replica = 0; replica < REPLICAS; replica++) {
                    sharing.keepOwners(ofReplica(replica), true);
                    measure("some, replica " + replica, sharing, SOME.shardedWatch());
                }
                gain(sharing);
                latency(vertx, watches, url);
            }
        } finally {
            server.destroy();
            vertx.close();
        }
        System.exit(0);
    }

    private static void measure(String what, Watches watches, WatchSpec<Pod> spec) throws Exception {
        long before = liveBytes();
        long cpuBefore = cpuNanos();
        long start = System.nanoTime();
        WatchHandle<Pod> watch = watches.acquire(WatchRequest.readOnly(spec, List.of()));
        get(watch.synced());
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpu = (cpuNanos() - cpuBefore) / 1e9;
        long after = liveBytes();
        System.out.printf(
                "%-16s %,d Pods synced in %.2f s (%.2f CPU-seconds), live heap %.1f MiB (%.1f before)%n",
                what, watch.lister().size(), seconds, cpu, mebibytes(after), mebibytes(before));
        long walk = System.nanoTime();
        long labels = watch.lister().list().stream()
                .mapToLong(pod -> pod.getMetadata().getLabels().size())
                .sum();
        double walked = (System.nanoTime() - walk) / 1e6;
        System.out.printf(
                "%-16s read all in %.0f ms (%d labels), live heap then %.1f MiB; read one again in %.2f us%n",
                "", walked, labels, mebibytes(liveBytes()), readAgainMicros(watch));
        get(watch.close());
    }

    /** Owners that are spread evenly. */
    private static Predicate<String> ofReplica(int replica) {
        return uid -> Math.floorMod(uid.hashCode(), REPLICAS) == replica;
    }

    /** One of the others has gone. */
    private static void gain(Watches sharing) throws Exception {
        sharing.keepOwners(ofReplica(0), true);
        WatchHandle<Pod> watch = sharing.acquire(WatchRequest.readOnly(SOME.shardedWatch(), List.of()));
        get(watch.synced());
        int before = watch.lister().size();
        long start = System.nanoTime();
        get(watch.caughtUp(sharing.keepOwners(ofReplica(0).or(ofReplica(1)), true)));
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                "%,d Pods of a replica, then %,d after %.2f s%n",
                before, watch.lister().size(), seconds);
        get(watch.close());
    }

    private static double readAgainMicros(WatchHandle<Pod> watch) {
        ObjectKey key = ObjectKey.of(watch.lister().list().get(7));
        int rounds = 1_000_000;
        long found = 0;
        long start = System.nanoTime();
        for (int i = 0; i < rounds; i++) {
            found += watch.lister().get(key).isPresent() ? 1 : 0;
        }
        if (found != rounds) {
            throw new IllegalStateException("not there: " + key);
        }
        return (System.nanoTime() - start) / 1e3 / rounds;
    }

    private static void latency(Vertx vertx, Watches watches, String url) throws Exception {
        WatchHandle<Pod> watch = watches.acquire(WatchRequest.readOnly(SOME, List.of()));
        get(watch.synced());
        long[] micros = new long[CHANGES];
        int[] seen = new int[1];
        CountDownLatch all = new CountDownLatch(CHANGES);
        vertx.eventBus().<ResourceChanged>consumer(Addresses.standard().changes(SOME.resource()), message -> {
            long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            Pod pod = watch.lister().get(message.body().key()).orElseThrow();
            micros[seen[0]++] =
                    now - Long.parseLong(pod.getMetadata().getAnnotations().get("bench/sent"));
            all.countDown();
        });
        HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(
                                        URI.create(url + "/changes?count=" + CHANGES + "&everyMillis=" + EVERY_MILLIS))
                                .build(),
                        HttpResponse.BodyHandlers.discarding());
        if (!all.await(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException(all.getCount() + " changes never came");
        }
        Arrays.sort(micros);
        System.out.printf(
                "server's write to bus, %d changes/s: p50 %.2f ms, p99 %.2f ms, max %.2f ms%n",
                1000 / EVERY_MILLIS,
                micros[CHANGES / 2] / 1e3,
                micros[CHANGES * 99 / 100] / 1e3,
                micros[CHANGES - 1] / 1e3);
        get(watch.close());
    }

    private static void get(io.vertx.core.Future<?> future) throws Exception {
        future.toCompletionStage().toCompletableFuture().get(2, TimeUnit.MINUTES);
    }

    private static long liveBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static double mebibytes(long bytes) {
        return bytes / 1024.0 / 1024.0;
    }
}

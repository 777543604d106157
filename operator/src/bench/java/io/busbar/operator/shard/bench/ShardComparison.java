package io.busbar.operator.shard.bench;

import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.runtime.assembly.Installation;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Edits many PodSets at once on the cluster of KUBECONFIG, which must have nothing else to do, and measures the time
 * until each is reconciled: by one replica that shares the work with nobody, and by three, each held to the same part
 * of a CPU by a control group. Both in turn; prints each round and the ratio of the medians. Needs root on Linux.
 *
 * <p>Usage, after a build with {@code -Pbench}: {@code java -cp operator/target/test-classes:operator/target/busbar.jar
 * io.busbar.operator.shard.bench.ShardComparison [sets, default 2000] [part of a CPU, default 0.25] [work of a
 * reconcile, default PT0.005S] [rounds, default 3]}.
 */
public final class ShardComparison {

    private static final String NAMESPACE = "shard-bench";
    private static final int EDITORS = 4;

    private final KubernetesClient client = new KubernetesClientBuilder().build();
    private final int sets;
    private final double share;
    private final String busyFor;
    private int size = 1;

    private ShardComparison(int sets, double share, String busyFor) {
        this.sets = sets;
        this.share = share;
        this.busyFor = busyFor;
    }

    public static void main(String[] arguments) throws Exception {
        int sets = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2000;
        double share = arguments.length > 1 ? Double.parseDouble(arguments[1]) : 0.25;
        String busyFor = arguments.length > 2 ? arguments[2] : "PT0.005S";
        int rounds = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 3;
        new ShardComparison(sets, share, busyFor).run(rounds);
        System.exit(0);
    }

    private void run(int rounds) throws Exception {
        Installation.install(client, Bundled.operator());
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .serverSideApply();
        forEach(name -> client.resource(set(name)).serverSideApply());
        System.out.printf("%d sets, %s of work each, %.2f of a CPU for each replica%n", sets, busyFor, share);
        List<Duration> alone = new ArrayList<>();
        List<Duration> shared = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            alone.add(round(1));
            shared.add(round(3));
        }
        System.out.printf(
                "throughput of three: %.2f times%n",
                (double) median(alone).toMillis() / median(shared).toMillis());
        client.namespaces().withName(NAMESPACE).delete();
    }

    private Duration round(int count) throws Exception {
        List<Replica> replicas = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                replicas.add(Replica.start("replica-" + i, share, size, busyFor));
            }
            awaitEven(replicas);
            Duration warmUp = editAll(replicas);
            // One of three sees a third of the work: as much of it has to be compiled.
            for (int i = 1; i < count; i++) {
                editAll(replicas);
            }
            Duration took = editAll(replicas);
            System.out.printf(
                    "%d replicas: %6.1f s (at first, as a warm-up: %.1f s)%n",
                    count, took.toMillis() / 1000.0, warmUp.toMillis() / 1000.0);
            return took;
        } finally {
            for (Replica replica : replicas) {
                replica.close();
            }
        }
    }

    /** And has reconciled each set once, with nothing to do. */
    private void awaitEven(List<Replica> replicas) throws InterruptedException {
        int least = 64 / replicas.size();
        boolean even = false;
        while (!even) {
            Thread.sleep(500);
            even = reconciles(replicas) >= sets;
            for (Replica replica : replicas) {
                even &= replica.buckets() >= least && replica.buckets() <= least + 1;
            }
        }
        long last = -1;
        while (reconciles(replicas) != last) {
            last = reconciles(replicas);
            Thread.sleep(3_000);
        }
    }

    private Duration editAll(List<Replica> replicas) throws Exception {
        long before = reconciles(replicas);
        int next = ++size;
        long start = System.nanoTime();
        forEach(name -> client.resources(PodSet.class)
                .inNamespace(NAMESPACE)
                .withName(name)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"size\":" + next + "}}"));
        while (reconciles(replicas) < before + sets) {
            Thread.sleep(100);
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static long reconciles(List<Replica> replicas) throws InterruptedException {
        long all = 0;
        for (Replica replica : replicas) {
            all += replica.reconciles();
        }
        return all;
    }

    @FunctionalInterface
    private interface Request {
        void send(String name);
    }

    private void forEach(Request request) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(EDITORS);
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < sets; i++) {
            String name = "set-" + i;
            tasks.add(() -> {
                request.send(name);
                return null;
            });
        }
        for (Future<Void> task : threads.invokeAll(tasks)) {
            task.get();
        }
        threads.shutdown();
    }

    private PodSet set(String name) {
        return client.getKubernetesSerialization().unmarshal("""
                {"apiVersion":"apps.jicki.cn/v1alpha1","kind":"PodSet","metadata":{"name":"%s","namespace":"%s"},"spec":{"size":%d}}""".formatted(name, NAMESPACE, size), PodSet.class);
    }

    private static Duration median(List<Duration> rounds) {
        List<Duration> sorted = rounds.stream().sorted().toList();
        int upper = sorted.size() / 2;
        int lower = (sorted.size() - 1) / 2;
        return sorted.get(lower).plus(sorted.get(upper)).dividedBy(2);
    }
}

package io.busbar.operator.podset.bench;

import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.runtime.assembly.Installation;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates many PodSets at once on the cluster of KUBECONFIG, which must have nothing else to do, and measures the time
 * until the status of each says that all its Pods are ready: by the operator, and by a loop that does nothing else.
 * Both in turn; prints each round and the ratio of the medians.
 *
 * <p>Usage, after a build with {@code -Pbench}: {@code java -cp operator/target/test-classes:operator/target/busbar.jar
 * io.busbar.operator.podset.bench.PodSetComparison [sets, default 1000] [workers, default 4] [rounds, default 3] [JVM
 * options of the operator]}.
 */
public final class PodSetComparison {

    private static final String NAMESPACE = "podset-bench";
    private static final String SETS = "/apis/apps.jicki.cn/v1alpha1/namespaces/" + NAMESPACE + "/podsets";
    private static final String PODS = "/api/v1/namespaces/" + NAMESPACE + "/pods";
    private static final int SIZE = 2;
    private static final int CREATORS = 8;

    private final ApiConnection api = new ApiConnection();
    private final List<ApiConnection> creators = new ArrayList<>();
    private final int sets;
    private final int workers;

    private PodSetComparison(int sets, int workers) {
        this.sets = sets;
        this.workers = workers;
        for (int i = 0; i < CREATORS; i++) {
            creators.add(new ApiConnection());
        }
    }

    public static void main(String[] arguments) throws Exception {
        int sets = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1000;
        int workers = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 4;
        int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 3;
        String jvmOptions = arguments.length > 3 ? arguments[3] : "";
        new PodSetComparison(sets, workers).run(rounds, jvmOptions);
        System.exit(0);
    }

    private void run(int rounds, String jvmOptions) throws Exception {
        Installation.install(api.client(), Bundled.operator());
        awaitEndOfTheLast();
        api.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .serverSideApply();
        awaitAccount();
        cleanUp();
        System.out.printf(
                "%d sets of %d Pods, %d workers%n%-9s %7s %8s %9s %9s %6s %7s %9s%n",
                sets, SIZE, workers, "", "s", "creates", "statuses", "conflicts", "reads", "CPU s", "peak MiB");
        List<Duration> bare = new ArrayList<>();
        List<Duration> operator = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            bare.add(bareRound());
            cleanUp();
            operator.add(operatorRound(jvmOptions));
            cleanUp();
        }
        System.out.printf(
                "ratio     %7.2f%n",
                (double) median(operator).toMillis() / median(bare).toMillis());
        api.delete("/api/v1/namespaces/" + NAMESPACE, "");
    }

    private Duration bareRound() throws Exception {
        RequestCounts before = RequestCounts.now(api);
        try (BareLoop loop = new BareLoop(api, NAMESPACE, sets, SIZE, workers)) {
            long start = System.nanoTime();
            createSets(loop::created);
            loop.awaitServed();
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            print("bare", took, RequestCounts.now(api).since(before), "", "");
            return took;
        }
    }

    private Duration operatorRound(String jvmOptions) throws Exception {
        CountDownLatch served = new CountDownLatch(sets);
        try (OperatorChild operator = OperatorChild.start(Path.of("operator/target/busbar.jar"), workers, jvmOptions);
                Watch watch = api.client()
                        .resources(PodSet.class)
                        .inNamespace(NAMESPACE)
                        .watch(countingReady(served))) {
            RequestCounts before = RequestCounts.now(api);
            Duration started = operator.cpu();
            long start = System.nanoTime();
            createSets((set, uid) -> {});
            served.await();
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            print(
                    "operator",
                    took,
                    RequestCounts.now(api).since(before),
                    "%.1f".formatted(operator.cpu().toMillis() / 1000.0),
                    operator.peakMebibytes() + "");
            System.out.printf("          CPU until it was ready: %.1f s%n", started.toMillis() / 1000.0);
            return took;
        }
    }

    private static Watcher<PodSet> countingReady(CountDownLatch served) {
        Set<String> counted = ConcurrentHashMap.newKeySet();
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, PodSet set) {
                boolean ready = set.getStatus() != null && set.getStatus().readyReplicas() == SIZE;
                if (ready && counted.add(set.getMetadata().getName())) {
                    served.countDown();
                }
            }

            @Override
            public void onClose(WatcherException cause) {
                // The run ends by its count, or not at all.
            }
        };
    }

    private void createSets(BiConsumer<String, String> created) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CREATORS);
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int creator = 0; creator < CREATORS; creator++) {
            int first = creator;
            tasks.add(() -> {
                for (int i = first; i < sets; i += CREATORS) {
                    String name = "set-" + i;
                    PodSet set = api.client()
                            .getKubernetesSerialization()
                            .unmarshal(creators.get(first).post(SETS, set(name)), PodSet.class);
                    created.accept(name, set.getMetadata().getUid());
                }
                return null;
            });
        }
        for (Future<Void> task : threads.invokeAll(tasks)) {
            task.get();
        }
        threads.shutdown();
    }

    private static String set(String name) {
        return """
                {"apiVersion":"apps.jicki.cn/v1alpha1","kind":"PodSet","metadata":{"name":"%s"},"spec":{"size":%d}}""".formatted(name, SIZE);
    }

    /** What an earlier run has deleted takes a while to go. */
    private void awaitEndOfTheLast() throws InterruptedException {
        Namespace last = namespace();
        while (last != null && last.getMetadata().getDeletionTimestamp() != null) {
            Thread.sleep(500);
            last = namespace();
        }
    }

    private @Nullable Namespace namespace() {
        return api.client().namespaces().withName(NAMESPACE).get();
    }

    private void awaitAccount() throws InterruptedException {
        while (api.client()
                        .serviceAccounts()
                        .inNamespace(NAMESPACE)
                        .withName("default")
                        .get()
                == null) {
            Thread.sleep(100);
        }
    }

    /** Sets first, so that nobody makes their Pods anew; then the Pods, without waiting for the garbage collector. */
    private void cleanUp() throws Exception {
        api.delete(SETS, "{\"propagationPolicy\":\"Background\"}");
        api.delete(PODS, "{\"gracePeriodSeconds\":0}");
        while (!isEmpty(SETS) || !isEmpty(PODS)) {
            Thread.sleep(500);
            api.delete(PODS, "{\"gracePeriodSeconds\":0}");
        }
    }

    private boolean isEmpty(String collection) throws Exception {
        return api.get(collection + "?limit=1").contains("\"items\":[]");
    }

    private static Duration median(List<Duration> rounds) {
        return rounds.stream().sorted().toList().get(rounds.size() / 2);
    }

    private static void print(String name, Duration took, RequestCounts counts, String cpu, String memory) {
        System.out.printf(
                "%-9s %7.1f %8d %9d %9d %6d %7s %9s%n",
                name,
                took.toMillis() / 1000.0,
                counts.creates(),
                counts.statusWrites(),
                counts.conflicts(),
                counts.reads(),
                cpu,
                memory);
    }
}

package io.busbar.bench;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** Many PodSets, which are created and resized from several connections at once, and what their statuses say. */
final class PodSets implements AutoCloseable {

    private static final int CONNECTIONS = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final ResourceDefinitionContext KIND = new ResourceDefinitionContext.Builder()
            .withGroup("apps.jicki.cn")
            .withVersion("v1alpha1")
            .withKind("PodSet")
            .withPlural("podsets")
            .withNamespaced(true)
            .build();

    private final Cluster cluster;
    private final int count;
    private final List<ApiConnection> connections = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    private final Watch watch;
    /** By name, the size of those that are ready at it. */
    private final Map<String, Long> ready = new HashMap<>();

    PodSets(Cluster cluster, int count) {
        this.cluster = cluster;
        this.count = count;
        for (int i = 0; i < CONNECTIONS; i++) {
            connections.add(new ApiConnection());
        }
        this.watch = cluster.api()
                .client()
                .genericKubernetesResources(KIND)
                .inNamespace(Cluster.NAMESPACE)
                .watch(watcher((action, set) -> note(set)));
    }

    private synchronized void note(GenericKubernetesResource set) {
        Long size = number(set.get("spec", "size"));
        boolean there = size.equals(number(set.get("status", "replicas")))
                && size.equals(number(set.get("status", "readyReplicas")));
        if (there) {
            ready.put(set.getMetadata().getName(), size);
        } else {
            ready.remove(set.getMetadata().getName());
        }
        notifyAll();
    }

    private static Long number(Object value) {
        return value instanceof Number number ? number.longValue() : -1L;
    }

    /** @param created is told of each, by its name and uid */
    void create(int size, BiConsumer<String, String> created) throws Exception {
        onEach((api, name) -> {
            String answer = api.post(Cluster.SETS, """
                    {"apiVersion":"apps.jicki.cn/v1alpha1","kind":"PodSet","metadata":{"name":"%s"},"spec":{"size":%d}}""".formatted(name, size));
            created.accept(
                    name,
                    api.client()
                            .getKubernetesSerialization()
                            .unmarshal(answer, GenericKubernetesResource.class)
                            .getMetadata()
                            .getUid());
        });
    }

    void resize(int size) throws Exception {
        onEach((api, name) -> resize(api, name, size));
    }

    /** @return its name */
    String resizeOne(int size) throws Exception {
        resize(cluster.api(), "set-0", size);
        return "set-0";
    }

    private static void resize(ApiConnection api, String name, int size) throws Exception {
        api.merge(Cluster.SETS + "/" + name, "{\"spec\":{\"size\":" + size + "}}");
    }

    private interface Step {
        void on(ApiConnection api, String name) throws Exception;
    }

    private void onEach(Step step) throws Exception {
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int connection = 0; connection < CONNECTIONS; connection++) {
            int first = connection;
            tasks.add(() -> {
                for (int i = first; i < count; i += CONNECTIONS) {
                    step.on(connections.get(first), "set-" + i);
                }
                return null;
            });
        }
        for (Future<Void> task : threads.invokeAll(tasks)) {
            task.get();
        }
    }

    /** Returns when all are ready at a size. */
    synchronized void awaitReady(long size, OperatorProcess operator) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        long there = 0;
        while (there < count) {
            there = ready.values().stream().filter(each -> each == size).count();
            if (there < count) {
                wait(500);
                operator.requireAlive();
                if (System.nanoTime() - end > 0) {
                    throw new IllegalStateException(there + " of " + count + " sets are ready at " + size + " after "
                            + PATIENCE.toMinutes() + " minutes");
                }
            }
        }
    }

    /** There are as many Pods as there should be, once those are gone that are about to. */
    void requirePods(int size) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (cluster.count(Cluster.PODS) != (long) count * size) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(
                        cluster.count(Cluster.PODS) + " Pods, though there should be " + count * size);
            }
            Thread.sleep(200);
        }
    }

    /**
     * Watches the Pods of a set, until the watch is closed.
     *
     * @param reached runs once there have been so many
     */
    Watch watchPods(String set, int wanted, Runnable reached) {
        Set<String> names = new HashSet<>();
        return cluster.api()
                .client()
                .pods()
                .inNamespace(Cluster.NAMESPACE)
                .withLabel("app", set)
                .watch(watcher((Watcher.Action action, Pod pod) -> {
                    if (names.add(pod.getMetadata().getName()) && names.size() == wanted) {
                        reached.run();
                    }
                }));
    }

    static void await(CountDownLatch latch, String what) throws InterruptedException {
        if (!latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("no " + what + " after " + PATIENCE.toMinutes() + " minutes");
        }
    }

    static <T> Watcher<T> watcher(BiConsumer<Watcher.Action, T> told) {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, T object) {
                told.accept(action, object);
            }

            @Override
            public void onClose(WatcherException cause) {
                // The run ends by what it waits for, or by its patience.
            }
        };
    }

    @Override
    public void close() {
        watch.close();
        threads.shutdown();
        connections.forEach(ApiConnection::close);
    }
}

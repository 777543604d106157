package io.busbar.bench;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * What an operator cannot do without: for each new set its Pods, a status that names them, and a status that they are
 * ready; on so many connections, and with the least that it takes to know when. It survives nothing and mends nothing.
 */
final class BareLoop implements AutoCloseable {

    private interface Step {
        void on(ApiConnection api) throws Exception;
    }

    private final String namespace;
    private final int size;
    private final CountDownLatch served;
    private final BlockingQueue<Step> steps = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<ApiConnection> connections = new ArrayList<>();
    private final Map<String, Set<String>> ready = new HashMap<>();
    private final Watch watch;

    BareLoop(ApiConnection watching, String namespace, int sets, int size, int workers) {
        this.namespace = namespace;
        this.size = size;
        this.served = new CountDownLatch(sets);
        for (int i = 0; i < workers; i++) {
            ApiConnection connection = new ApiConnection();
            connections.add(connection);
            Thread thread = new Thread(() -> work(connection), "bare-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        this.watch = watching.client().pods().inNamespace(namespace).watch(new Watcher<>() {
            @Override
            public void eventReceived(Action action, Pod pod) {
                if (action == Action.MODIFIED && Readiness.isPodReady(pod)) {
                    onReady(pod);
                }
            }

            @Override
            public void onClose(WatcherException cause) {
                // The run ends by its count, or not at all.
            }
        });
    }

    private synchronized void onReady(Pod pod) {
        String set = Objects.requireNonNull(pod.getMetadata().getLabels().get("app"));
        Set<String> names = ready.computeIfAbsent(set, first -> new HashSet<>());
        if (names.add(pod.getMetadata().getName()) && names.size() == size) {
            List<String> all = names.stream().sorted().toList();
            steps.add(api -> {
                api.merge(statusPath(set), status(set, all, size));
                served.countDown();
            });
        }
    }

    void created(String set, String uid) {
        steps.add(api -> {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                String pod = api.post("/api/v1/namespaces/" + namespace + "/pods", pod(set, uid));
                names.add(api.client()
                        .getKubernetesSerialization()
                        .unmarshal(pod, Pod.class)
                        .getMetadata()
                        .getName());
            }
            api.merge(statusPath(set), status(set, names, 0));
        });
    }

    void awaitServed() throws InterruptedException {
        served.await();
    }

    private void work(ApiConnection api) {
        try {
            while (true) {
                steps.take().on(api);
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        } catch (Exception failed) {
            failed.printStackTrace();
            System.exit(1);
        }
    }

    private String statusPath(String set) {
        return "/apis/apps.jicki.cn/v1alpha1/namespaces/" + namespace + "/podsets/" + set + "/status";
    }

    private String pod(String set, String uid) {
        return """
                {"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"%1$s-","namespace":"%2$s",
                 "labels":{"app":"%1$s","version":"v0.1"},"ownerReferences":[{"apiVersion":"apps.jicki.cn/v1alpha1","kind":"PodSet",
                 "name":"%1$s","uid":"%3$s","controller":true,"blockOwnerDeletion":true}]},
                 "spec":{"terminationGracePeriodSeconds":1,"containers":[{"name":"busybox","image":"busybox","command":["sleep","3600"]}]}}""".formatted(set, namespace, uid);
    }

    private String status(String set, List<String> names, int readyPods) {
        return """
                {"status":{"nodes":["%1$s"],"replicas":%2$d,"readyReplicas":%3$d,"availableReplicas":%3$d,"observedGeneration":1,
                 "selector":"app=%4$s,version=v0.1","conditions":[{"type":"Available","status":"%5$s","reason":"%6$s",
                 "message":"%3$d of %2$d Pods are available","lastTransitionTime":"2026-01-01T00:00:00Z","observedGeneration":1}]}}""".formatted(
                        String.join("\",\"", names),
                        size,
                        readyPods,
                        set,
                        readyPods == size ? "True" : "False",
                        readyPods == size ? "PodsAvailable" : "PodsUnavailable");
    }

    @Override
    public void close() {
        watch.close();
        threads.forEach(Thread::interrupt);
        connections.forEach(ApiConnection::close);
    }
}

package io.busbar.bench;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Instances of the Blueprint in {@code site.yaml}, and when each of them became ready. */
final class Sites {

    static final String SITES = "/apis/bench.example.com/v1alpha1/namespaces/" + Cluster.NAMESPACE + "/sites";
    private static final String CORE = "/api/v1/namespaces/" + Cluster.NAMESPACE + "/";
    private static final String APPS = "/apis/apps/v1/namespaces/" + Cluster.NAMESPACE + "/";

    /** Where the objects of instances are, in the order in which they are made. */
    static final List<String> MADE = List.of(
            CORE + "configmaps", CORE + "secrets", CORE + "serviceaccounts", CORE + "services", APPS + "deployments");

    /** None of their objects has any. */
    private static final String FURTHER = APPS + "replicasets";

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final ResourceDefinitionContext KIND = new ResourceDefinitionContext.Builder()
            .withGroup("bench.example.com")
            .withVersion("v1alpha1")
            .withKind("Site")
            .withPlural("sites")
            .withNamespaced(true)
            .build();

    private final Cluster cluster;
    /** By name. */
    private final Map<String, GenericKubernetesResource> all = new TreeMap<>();

    private final Map<String, Long> ready = new HashMap<>();
    private final Watch watch;

    /** Creates them. */
    Sites(Cluster cluster, int count) throws Exception {
        this.cluster = cluster;
        for (int i = 0; i < count; i++) {
            String answer = cluster.api().post(SITES, """
                    {"apiVersion":"bench.example.com/v1alpha1","kind":"Site","metadata":{"name":"site-%1$d"},
                     "spec":{"text":"This is site %1$d."}}""".formatted(i));
            GenericKubernetesResource site = cluster.api()
                    .client()
                    .getKubernetesSerialization()
                    .unmarshal(answer, GenericKubernetesResource.class);
            all.put(site.getMetadata().getName(), site);
        }
        this.watch = cluster.api()
                .client()
                .genericKubernetesResources(KIND)
                .inNamespace(Cluster.NAMESPACE)
                .watch(PodSets.watcher((action, site) -> note(site)));
    }

    private synchronized void note(GenericKubernetesResource site) {
        if (site.get("status", "conditions") instanceof List<?> conditions
                && conditions.stream().anyMatch(Sites::isReady)) {
            ready.putIfAbsent(site.getMetadata().getName(), System.nanoTime());
            notifyAll();
        }
    }

    private static boolean isReady(Object condition) {
        return condition instanceof Map<?, ?> fields
                && "Ready".equals(fields.get("type"))
                && "True".equals(fields.get("status"));
    }

    /** As they were created. */
    List<GenericKubernetesResource> all() {
        return List.copyOf(all.values());
    }

    static String path(String name) {
        return SITES + "/" + name;
    }

    static String statusPath(String name) {
        return path(name) + "/status";
    }

    /**
     * Waits until so many are ready.
     *
     * @param alive throws when nobody serves them any more
     */
    synchronized void awaitReady(int count, Runnable alive) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (ready.size() < count) {
            wait(500);
            alive.run();
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(
                        ready.size() + " of " + all.size() + " are ready after " + PATIENCE.toMinutes() + " minutes");
            }
        }
    }

    /** Between the first that was ready and the last. */
    synchronized double seconds() {
        long first = ready.values().stream().min(Long::compare).orElseThrow();
        long last = ready.values().stream().max(Long::compare).orElseThrow();
        return (last - first) / 1e9;
    }

    /** Each has its objects, and these have none. */
    void requireObjects() throws Exception {
        for (String path : MADE) {
            int there = labelled(cluster, path);
            if (there != all.size()) {
                throw new IllegalStateException(there + " at " + path + ", though there should be " + all.size());
            }
        }
        if (labelled(cluster, FURTHER) > 0) {
            throw new IllegalStateException("the cluster's own controllers have made ReplicaSets");
        }
    }

    private static int labelled(Cluster cluster, String path) throws Exception {
        return cluster.api()
                .client()
                .getKubernetesSerialization()
                .unmarshal(cluster.api().get(path + "?labelSelector=app"), GenericKubernetesResourceList.class)
                .getItems()
                .size();
    }

    /** Deletes them and their objects, without waiting for the garbage collector. */
    void clear() throws Exception {
        watch.close();
        cluster.api().delete(SITES, "{\"propagationPolicy\":\"Background\"}");
        for (String path : MADE) {
            cluster.api().delete(path + "?labelSelector=app", "{\"gracePeriodSeconds\":0}");
        }
        int left = 1;
        while (left > 0) {
            Thread.sleep(300);
            left = (int) cluster.count(SITES);
            for (String path : MADE) {
                left += labelled(cluster, path);
            }
        }
    }
}

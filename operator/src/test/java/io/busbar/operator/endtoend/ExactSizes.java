package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.operator.memcached.v1alpha1.Memcached;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Resizes objects one after the other and holds the operator to exact counts: every Pod that should be made is made
 * once, and every change of a Deployment is written once. For one thread.
 */
final class ExactSizes implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int LARGEST_SET = 8;
    private static final int LARGEST_CACHE = 3;

    private final Cluster cluster;
    private final Random random;
    private final Journal journal;
    private final String sets;
    private final PodCensus census;
    private int setSize;
    private int podsMade;
    private int cacheSize = 1;
    private long cacheGeneration = 1;

    ExactSizes(Cluster cluster, Random random, Journal journal) {
        this.cluster = cluster;
        this.random = random;
        this.journal = journal;
        this.sets = "exact";
        this.census = new PodCensus(cluster, sets, 0);
        // From others the webhooks of an operator that is just starting refuse.
        create(PodSet.class, """
                apiVersion: apps.jicki.cn/v1alpha1
                kind: PodSet
                metadata: {name: exact, namespace: %s}
                spec: {size: 0}
                """.formatted(cluster.namespace()));
        create(Memcached.class, """
                apiVersion: cache.example.com/v1alpha1
                kind: Memcached
                metadata: {name: exact, namespace: %s}
                spec: {size: 1}
                """.formatted(cluster.namespace()));
        eventually(
                "a Deployment",
                () -> cluster.resource(Deployment.class, "exact").get(),
                one -> one != null);
    }

    /** Changes one thing, and waits until all is as it must be. */
    void step() {
        switch (random.nextInt(4)) {
            case 0 -> resizeCache(1 + (cacheSize + random.nextInt(2)) % LARGEST_CACHE);
            case 1 -> deletePod();
            default -> resizeSet(random.nextInt(LARGEST_SET + 1));
        }
    }

    private void resizeSet(int size) {
        journal.count("PodSet resized", setSize + " -> " + size);
        int most = Math.max(setSize, size);
        podsMade += Math.max(0, size - setSize);
        setSize = size;
        resize(PodSet.class, size);
        converged(most);
    }

    private void deletePod() {
        List<Pod> pods = pods();
        if (pods.isEmpty()) {
            return;
        }
        Pod pod = pods.get(random.nextInt(pods.size()));
        journal.count("Pod of a PodSet deleted", pod.getMetadata().getName());
        podsMade++;
        anyhow(() -> cluster.client().resource(pod).withGracePeriod(0).delete());
        eventually(
                "the Pod's end",
                this::pods,
                left -> left.stream()
                        .noneMatch(one -> one.getMetadata()
                                .getUid()
                                .equals(pod.getMetadata().getUid())));
        converged(setSize);
    }

    private void converged(int most) {
        eventually(
                "the size of the PodSet",
                () -> cluster.get(PodSet.class, sets),
                set -> set.getStatus() != null
                        && set.getStatus().observedGeneration()
                                == set.getMetadata().getGeneration()
                        && set.getStatus().replicas() == setSize
                        && pods().size() == setSize);
        // Its watch is another one than the operator's, and may be later.
        eventually("the Pods that there ever were", census::created, made -> made >= podsMade);
        assertThat(census.created()).as("Pods made").isEqualTo(podsMade);
        assertThat(pods()).as("at most").hasSizeLessThanOrEqualTo(most);
    }

    private List<Pod> pods() {
        return anyhow(() -> cluster.pods(sets));
    }

    private void resizeCache(int size) {
        journal.count("Memcached resized", cacheSize + " -> " + size);
        cacheSize = size;
        cacheGeneration++;
        resize(Memcached.class, size);
        eventually(
                "the replicas of the Deployment",
                () -> cluster.get(Deployment.class, "exact"),
                deployment -> deployment.getSpec().getReplicas() == size);
        assertThat(anyhow(() -> cluster.get(Deployment.class, "exact"))
                        .getMetadata()
                        .getGeneration())
                .as("generation of the Deployment, which each change of it counts up")
                .isEqualTo(cacheGeneration);
    }

    private <T extends HasMetadata> void resize(Class<T> type, int size) {
        anyhow(() -> {
            cluster.patch(cluster.get(type, "exact"), "{\"spec\":{\"size\":" + size + "}}");
            return true;
        });
    }

    private <T extends HasMetadata> void create(Class<T> type, String yaml) {
        anyhow(() -> {
            if (cluster.resource(type, "exact").get() == null) {
                cluster.create(type, yaml);
            }
            return true;
        });
    }

    /** This one's own requests may be refused or cut off as well; they are such that it does no harm to repeat them. */
    private static <T> T anyhow(Supplier<T> request) {
        return await().atMost(PATIENCE)
                .pollInterval(Cluster.LOOK)
                .ignoreExceptionsMatching(Cluster::isRefusal)
                .until(request::get, answer -> true);
    }

    private static <T> void eventually(String what, Supplier<T> now, Predicate<T> asItMustBe) {
        await(what)
                .atMost(PATIENCE)
                .pollInterval(Cluster.LOOK)
                .ignoreExceptionsMatching(Cluster::isRefusal)
                .until(now::get, asItMustBe);
    }

    @Override
    public void close() {
        census.close();
    }
}

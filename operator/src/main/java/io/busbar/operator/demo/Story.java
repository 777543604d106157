package io.busbar.operator.demo;

import io.busbar.operator.sidecarset.v1alpha1.SidecarSet;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSetStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A SidecarSet is made, Pods come and are injected, and an image is rolled through them, one Pod at a time.
 *
 * <p>For one thread, which it blocks. Throws {@link io.fabric8.kubernetes.client.KubernetesClientException} when the cluster
 * does not answer, or not as it should.
 */
public final class Story {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int PODS = 3;
    private static final String NAMESPACE = "default";
    private static final String SET = "log-agent";
    private static final String OLD_IMAGE = "example/log-agent:1";
    private static final String NEW_IMAGE = "example/log-agent:2";

    private final KubernetesClient client;
    private final Narrator narrator;
    private final BlockingQueue<SidecarSet> sets = new LinkedBlockingQueue<>();

    public Story(KubernetesClient client, PrintWriter out) {
        this.client = client;
        this.narrator = new Narrator(out);
    }

    /** Tells the story to its end; what it has made stays. */
    @SuppressWarnings("try") // the watches tell for as long as they are open
    public void tell() throws InterruptedException {
        try (Watch ofSets = client.resources(SidecarSet.class).watch(telling(this::seen));
                Watch ofPods = client.pods().inNamespace(NAMESPACE).watch(telling(narrator::pod))) {
            narrator.step("kubectl apply a SidecarSet for Pods labelled app=shop");
            client.resource(Serialization.unmarshal(set(), SidecarSet.class)).create();
            awaitCounts(0, 0);
            narrator.step("kubectl apply " + PODS + " Pods of one container");
            for (int i = 0; i < PODS; i++) {
                client.resource(pod("shop-" + i)).create();
            }
            awaitCounts(PODS, PODS);
            narrator.step("kubectl edit sidecarset " + SET + ": the image becomes " + NEW_IMAGE);
            client.resources(SidecarSet.class).withName(SET).edit(set -> {
                set.getSpec().containers().get(0).setImage(NEW_IMAGE);
                return set;
            });
            awaitCounts(PODS, PODS);
            narrator.step("all Pods run the new image, and none was made anew");
        }
    }

    private void seen(SidecarSet set) {
        narrator.set(set);
        sets.add(set);
    }

    /** The set's controller has seen its spec, and counts so many Pods that are updated and ready. */
    private void awaitCounts(int matched, int ready) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        SidecarSet set;
        do {
            set = sets.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (set == null) {
                throw new IllegalStateException("SidecarSet " + SET + " did not come to " + ready
                        + " updated and ready Pods in " + PATIENCE.toSeconds() + " s");
            }
        } while (!counts(set, matched, ready));
    }

    private static boolean counts(SidecarSet set, int matched, int ready) {
        SidecarSetStatus status = set.getStatus();
        return status != null
                && status.observedGeneration() == set.getMetadata().getGeneration()
                && status.matchedPods() == matched
                && status.updatedReadyPods() == ready;
    }

    private static String set() {
        return """
                apiVersion: apps.kruise.io/v1alpha1
                kind: SidecarSet
                metadata:
                  name: %s
                spec:
                  selector:
                    matchLabels:
                      app: shop
                  containers:
                  - name: log-agent
                    image: %s
                """.formatted(SET, OLD_IMAGE);
    }

    private static Pod pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name)
                .withLabels(Map.of("app", "shop"))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("shop")
                .withImage("example/shop:7")
                .endContainer()
                .endSpec()
                .build();
    }

    private static <T extends HasMetadata> Watcher<T> telling(Consumer<T> narrator) {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, T object) {
                if (action == Action.ADDED || action == Action.MODIFIED) {
                    narrator.accept(object);
                }
            }

            @Override
            public void onClose(WatcherException cause) {
                // The story waits on its own requests, not on this watch.
            }
        };
    }
}

package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.ResourceNotFoundException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import org.awaitility.core.ThrowingRunnable;

/**
 * A cluster with the operator on it, and a namespace for one test class; what is made through it goes with the class.
 */
final class Cluster {

    /** For the start of the jar, too, while all else runs on the machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Duration COLLECTION = Duration.ofMinutes(2);

    /** Between two looks at what is waited for: with long ones, what depends on a look at the right moment fails. */
    static final Duration LOOK = Duration.ofMillis(Long.getLong("busbar.test.look", 100));

    private final RunningCluster running;
    private final KubernetesClient client;
    private final String namespace;
    private final Deque<HasMetadata> made = new ArrayDeque<>();

    Cluster(RunningCluster running, String namespace) {
        this.running = running;
        this.client = running.client();
        this.namespace = namespace;
    }

    /** For tests that run the operator in another way. */
    RunningCluster running() {
        return running;
    }

    KubernetesClient client() {
        return client;
    }

    String namespace() {
        return namespace;
    }

    <T extends HasMetadata> T create(Class<T> type, String yaml) {
        T created = client.resource(Serialization.unmarshal(yaml, type)).create();
        made.push(created);
        return created;
    }

    /** One of the class's namespace. */
    <T extends HasMetadata> Resource<T> resource(Class<T> type, String name) {
        return client.resources(type).inNamespace(namespace).withName(name);
    }

    /** As the API server has it now. */
    <T extends HasMetadata> T get(Class<T> type, String name) {
        return resource(type, name).require();
    }

    /** Whether the API server has refused or cut off a request, or has not what was asked for. */
    static boolean isRefusal(Throwable thrown) {
        return thrown instanceof KubernetesClientException || thrown instanceof ResourceNotFoundException;
    }

    /** All versions from now on. */
    <T extends HasMetadata> Seen<T> follow(Class<T> type) {
        return new Seen<>(client, type, namespace);
    }

    void patch(HasMetadata object, String mergePatch) {
        client.resource(object).patch(PatchContext.of(PatchType.JSON_MERGE), mergePatch);
    }

    /** Changes an object and waits until a controller has looked at something since. */
    void andReconciled(String controller, Runnable change) {
        double before = running.reconciles(controller);
        change.run();
        eventually(() -> assertThat(running.reconciles(controller)).isGreaterThan(before));
    }

    /** Creates a set and waits until the operator knows it. */
    SidecarSet createSet(String yaml) {
        SidecarSet created = create(SidecarSet.class, yaml);
        awaitObserved(created.getMetadata().getName());
        return created;
    }

    /** The same by an operator that has just been started, which may not answer for a while. */
    SidecarSet createSetOnceServed(String yaml) {
        eventually(() -> create(SidecarSet.class, yaml));
        String name =
                Serialization.unmarshal(yaml, SidecarSet.class).getMetadata().getName();
        awaitObserved(name);
        return set(name);
    }

    /** Replaces a set's spec and waits until the operator knows it. */
    SidecarSet replaceSet(String yaml) {
        SidecarSet replaced = writeSet(yaml);
        awaitObserved(replaced.getMetadata().getName());
        return replaced;
    }

    /** Replaces a set's spec. */
    SidecarSet writeSet(String yaml) {
        SidecarSet wanted = Serialization.unmarshal(yaml, SidecarSet.class);
        // Not with the client's edit, which fails when the operator writes the status meanwhile.
        return client.resources(SidecarSet.class)
                .withName(wanted.getMetadata().getName())
                .patch(PatchContext.of(PatchType.JSON), """
                        [{"op": "replace", "path": "/spec", "value": %s}]""".formatted(Serialization.asJson(wanted.getSpec())));
    }

    SidecarSet set(String name) {
        return client.resources(SidecarSet.class).withName(name).require();
    }

    Pod createPod(String name, String app) {
        return create(Pod.class, SidecarSets.pod(namespace, name, app));
    }

    /** By name. */
    List<Pod> pods(String app) {
        return client.pods().inNamespace(namespace).withLabel("app", app).list().getItems().stream()
                .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
                .toList();
    }

    void annotate(HasMetadata object, String key, String value) {
        patch(object, "{\"metadata\":{\"annotations\":{\"" + key + "\":\"" + value + "\"}}}");
    }

    /**
     * For what stays once it is so: a state that the system leaves by itself may come and go between two looks, however
     * often they are taken. Such ones are held, or {@link #follow followed}. What is not there yet, or is refused still,
     * is waited for, too.
     */
    void eventually(ThrowingRunnable assertion) {
        await().atMost(PATIENCE)
                .pollInterval(LOOK)
                .ignoreExceptionsMatching(thrown -> isRefusal(thrown) || thrown instanceof NoSuchElementException)
                .untilAsserted(assertion);
    }

    /**
     * For what the API server's collector of garbage removes: a real one rests while it takes note of kinds that come
     * and go, for up to half a minute each time.
     */
    void eventuallyCollected(ThrowingRunnable assertion) {
        await().atMost(COLLECTION).pollInterval(LOOK).untilAsserted(assertion);
    }

    void removeAll() {
        made.forEach(object -> client.resource(object).withGracePeriod(0).delete());
        made.clear();
    }

    void awaitObserved(String set) {
        eventually(() -> {
            SidecarSet stored = set(set);
            if (stored.getStatus() == null
                    || stored.getStatus().observedGeneration()
                            < stored.getMetadata().getGeneration()) {
                throw new AssertionError("generation " + stored.getMetadata().getGeneration() + " of " + set
                        + " is not observed yet: " + stored.getStatus());
            }
        });
    }
}

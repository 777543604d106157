package io.busbar.operator.podset;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.reconciler.leader.LeaderElectionOptions;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.clock.ManualClock;
import io.busbar.sandbox.faults.Fault;
import io.busbar.sandbox.faults.Lag;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole operator, whose watch of Pods is an hour behind, by the cluster's clock, and whose answers are lost. */
@KubernetesSandbox(manualClock = true)
class LaggingWatchTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final Sandbox sandbox;
    private final ManualClock clock;
    private final KubernetesClient client;
    private final OperatorOptions options = OperatorOptions.besideCluster("busbar");
    /** Their uids. */
    private final Set<String> seen = new HashSet<>();

    private StandaloneOperator operator;

    LaggingWatchTest(Sandbox sandbox, ManualClock clock, KubernetesClient client) {
        this.sandbox = sandbox;
        this.clock = clock;
        this.client = client;
        Installation.install(client, Bundled.operator());
        this.operator = new StandaloneOperator(Bundled.operator(), client.getConfiguration(), options);
    }

    @BeforeEach
    void start() throws Exception {
        operator.start();
    }

    @AfterEach
    void stop() throws Exception {
        operator.stop();
        await(sandbox.faults().clear());
    }

    @Test
    void sizes_are_never_exceeded_however_late_the_pods_are_seen_and_however_often_the_operator_restarts()
            throws Exception {
        create("late", 1);
        size("late", 1);
        await(sandbox.faults().inject(Lag.ofWatches("pods").by(HOUR)));
        resize("late", 4);
        size("late", 4);
        await(clock.advance(Duration.ofMinutes(59)));
        resize("late", 5);
        size("late", 5);

        restart();
        resize("late", 7);
        size("late", 7);
        await(clock.advance(HOUR));
        await(clock.advance(HOUR));
        resize("late", 6);
        size("late", 6);
        assertThat(seen).as("Pods ever seen").hasSize(7);
    }

    @Test
    void a_pod_whose_creation_was_not_answered_is_made_once() throws Exception {
        create("lost", 1);
        size("lost", 1);
        await(sandbox.faults().inject(Lag.ofWatches("pods").by(HOUR)));
        sandbox.faults().inject(Fault.on("create", "pods").answerLost().times(3));
        resize("lost", 5);
        size("lost", 5);
        sandbox.faults().inject(Fault.on("create", "pods").answerLost().times(2));
        resize("lost", 8);
        size("lost", 8);
        restart();
        resize("lost", 9);
        size("lost", 9);
        await(clock.advance(HOUR));
        assertThat(pods("lost")).as("Pods, none of which was deleted").hasSize(9);
    }

    @Test
    void a_replica_that_takes_over_counts_the_pods_that_its_watch_does_not_show_yet() throws Exception {
        operator.stop();
        operator = new StandaloneOperator(Bundled.operator(), client.getConfiguration(), electing());
        operator.start();
        create("taken", 1);
        size("taken", 1);
        StandaloneOperator standsBy = new StandaloneOperator(Bundled.operator(), client.getConfiguration(), electing());
        standsBy.start();
        await(sandbox.faults().inject(Lag.ofWatches("pods").by(HOUR)));
        resize("taken", 4);
        size("taken", 4);

        operator.stop();
        operator = standsBy;
        resize("taken", 5);
        size("taken", 5);
        assertThat(seen).as("Pods ever seen").hasSize(5);
    }

    private OperatorOptions electing() {
        return options.toBuilder()
                .leaderElection(LeaderElectionOptions.of(ObjectKey.of(options.namespace(), "lagging")))
                .build();
    }

    private void restart() throws Exception {
        operator.stop();
        operator = new StandaloneOperator(Bundled.operator(), client.getConfiguration(), options);
        operator.start();
    }

    private void create(String name, int size) {
        PodSet set = TestSets.set(name, size, 1);
        set.getMetadata().setUid(null);
        client.resource(set).create();
    }

    private void resize(String name, int size) {
        set(name).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"size\":" + size + "}}");
    }

    /** Waits until the operator says that it is done with a size, and looks whether that is so. */
    private void size(String name, int size) {
        Awaitility.await("size " + size).atMost(Duration.ofSeconds(60)).until(() -> {
            PodSet set = set(name).require();
            return set.getStatus() != null
                    && set.getStatus().observedGeneration() == set.getMetadata().getGeneration()
                    && set.getStatus().replicas() == size;
        });
        List<Pod> pods = pods(name);
        pods.forEach(pod -> seen.add(pod.getMetadata().getUid()));
        assertThat(pods).filteredOn(pod -> !pod.isMarkedForDeletion()).hasSize(size);
    }

    private List<Pod> pods(String name) {
        return client.pods()
                .inNamespace("default")
                .withLabel("app", name)
                .list()
                .getItems();
    }

    private Resource<PodSet> set(String name) {
        return client.resources(PodSet.class).inNamespace("default").withName(name);
    }

    private static <T> T await(CompletableFuture<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }
}

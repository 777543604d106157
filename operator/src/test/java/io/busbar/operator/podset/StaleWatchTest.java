package io.busbar.operator.podset;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.faults.Fault;
import io.busbar.sandbox.http.ApiRequest;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole operator, one of whose watches does not come back after it was cut. */
@KubernetesSandbox
class StaleWatchTest {

    /** Longer than any test. */
    private static final Duration FOR_GOOD = Duration.ofMinutes(10);

    private final Sandbox sandbox;
    private final KubernetesClient client;
    private final StandaloneOperator operator;

    /** Collected again and again, as the sandbox remembers the latest only. */
    private final Set<ApiRequest> requests = new LinkedHashSet<>();

    StaleWatchTest(Sandbox sandbox, KubernetesClient client) {
        OperatorOptions options = OperatorOptions.besideCluster("busbar");
        this.sandbox = sandbox;
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
        sandbox.faults().clear().join();
    }

    @Test
    void no_pod_is_made_for_a_set_whose_deletion_has_not_been_seen_yet() throws Exception {
        long before = created();
        create("unseen", 3);
        awaitReady("unseen", 3);
        cutForGood("podsets.apps.jicki.cn");
        set("unseen").delete();

        await("a look at the live set", () -> requests("GET", "/podsets/unseen", 404) > 0);
        await("the Pods to go", () -> pods("unseen").isEmpty());
        assertThat(created() - before).as("created").isEqualTo(3);
    }

    @Test
    void sizes_are_met_exactly_while_no_pod_is_seen_to_come_or_go() throws Exception {
        create("blind", 1);
        awaitReady("blind", 1);
        long before = created();
        cutForGood("pods");
        for (int size : List.of(5, 2, 4)) {
            set("blind").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"size\":" + size + "}}");
            await("the status", () -> {
                PodSet set = set("blind").require();
                return set.getStatus().observedGeneration() == set.getMetadata().getGeneration();
            });
            assertThat(pods("blind"))
                    .filteredOn(pod -> !pod.isMarkedForDeletion())
                    .hasSize(size);
        }
        assertThat(created() - before).as("created").isEqualTo(4 + 2);
    }

    /** Cuts all watches; those of one resource are not served again. */
    private void cutForGood(String resource) throws Exception {
        sandbox.faults().inject(Fault.on("watch", resource).delayed(FOR_GOOD).times(100));
        sandbox.faults().dropWatches().get(60, TimeUnit.SECONDS);
    }

    private void create(String name, int size) {
        PodSet set = TestSets.set(name, size, 1);
        set.getMetadata().setUid(null);
        client.resource(set).create();
    }

    private void awaitReady(String name, int size) {
        await(name + " to be ready", () -> {
            PodSet set = set(name).require();
            return set.getStatus() != null && set.getStatus().readyReplicas() == size;
        });
    }

    private void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what).atMost(Duration.ofSeconds(60)).until(() -> {
            requests.addAll(sandbox.requests());
            return condition.call();
        });
    }

    private Resource<PodSet> set(String name) {
        return client.resources(PodSet.class).inNamespace("default").withName(name);
    }

    private List<Pod> pods(String name) {
        return client.pods()
                .inNamespace("default")
                .withLabel("app", name)
                .list()
                .getItems();
    }

    private long created() {
        return requests("POST", "/namespaces/default/pods?", 201);
    }

    private long requests(String method, String part, int status) {
        requests.addAll(sandbox.requests());
        return requests.stream()
                .filter(request ->
                        request.method().equals(method) && request.uri().contains(part) && request.status() == status)
                .count();
    }
}

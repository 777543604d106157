package io.busbar.operator.mysqlcluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.clock.ManualClock;
import io.busbar.sandbox.faults.Fault;
import io.busbar.sandbox.faults.Lag;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The whole operator, whose watches of all that it makes for a cluster are an hour behind, by the cluster's clock, and
 * many of whose writes are not answered. No database runs: it is about the objects.
 */
@KubernetesSandbox(manualClock = true)
class LostAnswersTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final Sandbox sandbox;
    private final ManualClock clock;
    private final KubernetesClient client;
    private final OperatorOptions options = OperatorOptions.besideCluster("busbar");
    private StandaloneOperator operator;

    LostAnswersTest(Sandbox sandbox, ManualClock clock, KubernetesClient client) {
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
    void has_as_many_servers_as_asked_for_and_one_of_everything_else() throws Exception {
        for (String late :
                List.of("pods", "secrets", "services", "configmaps", "deployments.apps", "statefulsets.apps")) {
            await(sandbox.faults().inject(Lag.ofWatches(late).by(HOUR)));
        }
        for (String lost : List.of("secrets", "services", "configmaps", "deployments.apps", "statefulsets.apps")) {
            sandbox.faults().inject(Fault.on("create", lost).answerLost().times(2));
            sandbox.faults().inject(Fault.on("patch", lost).answerLost().times(2));
        }
        create("plain", "mode: Simple, size: 1");
        servers("plain", 1);
        create("group", "size: 1");
        servers("group", 1);
        Map<String, String> before = uids();

        for (int size : List.of(4, 5)) {
            sandbox.faults().inject(Fault.on("patch", "deployments.apps").answerLost());
            client.resources(MySQLCluster.class)
                    .inNamespace("default")
                    .withName("plain")
                    .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"size\":" + size + "}}");
            servers("plain", size);
        }
        operator.stop();
        operator = new StandaloneOperator(Bundled.operator(), client.getConfiguration(), options);
        operator.start();
        await(clock.advance(HOUR));
        await(clock.advance(HOUR));

        servers("plain", 5);
        servers("group", 1);
        assertThat(uids()).as("what was made is there, and nothing else").isEqualTo(before);
    }

    private void create(String name, String spec) {
        client.resource(Serialization.unmarshal("""
                        apiVersion: database.example.com/v1alpha1
                        kind: MySQLCluster
                        metadata: {name: %s, namespace: default}
                        spec: {image: "mariadb:10.11", %s}
                        """.formatted(name, spec), MySQLCluster.class))
                .create();
    }

    /** Waits until there are so many Pods; there are never more. */
    private void servers(String cluster, int count) {
        Awaitility.await(count + " servers of " + cluster)
                .atMost(Duration.ofSeconds(60))
                .until(() -> {
                    long pods = pods().filter(pod -> pod.getMetadata().getName().startsWith(cluster + "-"))
                            .count();
                    assertThat(pods).isLessThanOrEqualTo(count);
                    return pods == count;
                });
    }

    private Stream<Pod> pods() {
        return client.pods().inNamespace("default").list().getItems().stream();
    }

    /** Of all that is made for clusters, but for Pods. */
    private Map<String, String> uids() {
        Stream<HasMetadata> all = Stream.of(
                        client.secrets().inNamespace("default").list().getItems(),
                        client.services().inNamespace("default").list().getItems(),
                        client.configMaps().inNamespace("default").list().getItems(),
                        client.apps()
                                .deployments()
                                .inNamespace("default")
                                .list()
                                .getItems(),
                        client.apps()
                                .statefulSets()
                                .inNamespace("default")
                                .list()
                                .getItems())
                .flatMap(List::stream);
        return all.collect(Collectors.toMap(
                object -> object.getKind() + " " + object.getMetadata().getName(),
                object -> object.getMetadata().getUid()));
    }

    private static <T> T await(CompletableFuture<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }
}

package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.MySQLClusterBundle;
import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Trust;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole operator, and many clusters whose servers take connections and never answer. */
@KubernetesSandbox
class LostZoneTest {

    private static final int LOST = 50;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Calls calls = new Calls(() -> {}, () -> {});
    private final SimulatedServers servers = new SimulatedServers(calls);
    private final Set<Endpoint> silent = ConcurrentHashMap.newKeySet();
    private final CountDownLatch answer = new CountDownLatch(1);
    private final KubernetesClient client;
    private final StandaloneOperator operator;

    LostZoneTest(KubernetesClient client) {
        this.client = client;
        OperatorDefinition definition =
                OperatorDefinition.of(new MySQLClusterBundle(its -> this::connect, Clock.systemUTC()));
        Installation.install(client, definition);
        this.operator = new StandaloneOperator(
                definition, client.getConfiguration(), OperatorOptions.besideCluster(definition.name()));
    }

    @BeforeEach
    void start() throws Exception {
        operator.start();
    }

    @AfterEach
    void stop() throws Exception {
        answer.countDown();
        operator.stop();
    }

    @Test
    void a_failover_begins_while_fifty_other_clusters_are_waited_for() {
        create("db", "size: 2, failover: {delaySeconds: 1}");
        awaitDb("runs", cluster -> "Running".equals(cluster.told().phase()));
        for (int i = 0; i < LOST; i++) {
            create("lost" + i, "size: 1");
        }
        Awaitility.await("all of them are waited for at once")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(silent).hasSize(LOST));

        calls.meanwhile(() -> servers.of("db-0").silent = true);

        awaitDb("fails over", cluster -> cluster.told().failover().phase() != null);
        assertThat(answer.getCount())
                .as("whether they were waited for to the end")
                .isEqualTo(1);
    }

    private void awaitDb(String what, Predicate<MySQLCluster> holds) {
        Awaitility.await(what).atMost(PATIENCE).until(() -> {
            calls.meanwhile(servers::replicate);
            return holds.test(client.resources(MySQLCluster.class)
                    .inNamespace("default")
                    .withName("db")
                    .get());
        });
    }

    private DatabaseServer connect(Endpoint endpoint, Account account, Optional<Trust> trust) {
        String pod = client.pods().inNamespace("default").list().getItems().stream()
                .filter(one -> endpoint.host().equals(one.getStatus().getPodIP()))
                .map(one -> one.getMetadata().getName())
                .findFirst()
                .orElseThrow();
        if (!pod.startsWith("db-")) {
            silent.add(endpoint);
            awaitAnswer();
        }
        calls.meanwhile(() -> serve(pod, endpoint));
        return servers.server(endpoint, account, trust);
    }

    private void awaitAnswer() {
        try {
            answer.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(String pod, Endpoint endpoint) {
        if (servers.all().stream().noneMatch(server -> server.endpoint.equals(endpoint))) {
            servers.add(pod, endpoint, 100 + servers.all().size()).start();
        }
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
}

package io.busbar.operator.mysqlcluster.bed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.sqlclient.Row;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/** A namespace with {@link HandMadeObjects} on a Node of databases. One thread. */
final class HandMadeCluster implements AutoCloseable {

    private final Vertx vertx = Vertx.vertx();
    private final KubernetesClient client;
    private final DatabaseNode node;
    private final String namespace = "bed-" + UUID.randomUUID().toString().substring(0, 8);

    /** @param sandbox unless another cluster is asked for */
    HandMadeCluster(KubernetesClient sandbox) {
        String given = System.getProperty("busbar.cluster", "");
        this.client = given.isEmpty()
                ? sandbox
                : new KubernetesClientBuilder()
                        .withConfig(Config.fromKubeconfig(new File(given)))
                        .build();
        this.node = DatabaseNode.start(client);
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        eventually(() -> assertThat(client.serviceAccounts()
                        .inNamespace(namespace)
                        .withName("default")
                        .get())
                .isNotNull());
        create(HandMadeObjects.SECRET);
        create(HandMadeObjects.CONFIG);
    }

    KubernetesClient client() {
        return client;
    }

    void createServers(String name, Product product, int replicas) {
        create(HandMadeObjects.servers(name, product, replicas, node.selector()));
    }

    /** @param container in YAML, without its name and image */
    void createJob(String name, String container, Path backup) {
        create(HandMadeObjects.job(name, container, backup, node.selector()));
    }

    private void create(String yaml) {
        List<HasMetadata> objects =
                client.load(new ByteArrayInputStream(yaml.getBytes(UTF_8))).items();
        objects.forEach(object -> client.resource(object).inNamespace(namespace).create());
    }

    DatabasePod steer(String pod) {
        return node.pod(namespace, pod);
    }

    Pod pod(String name) {
        return client.pods().inNamespace(namespace).withName(name).require();
    }

    Job job(String name) {
        return client.batch().v1().jobs().inNamespace(namespace).withName(name).require();
    }

    static ContainerStatus container(Pod pod) {
        return pod.getStatus().getContainerStatuses().get(0);
    }

    boolean isReady(String pod) {
        return client.pods().inNamespace(namespace).withName(pod).isReady();
    }

    Pod awaitReady(String pod) {
        eventually(() -> assertThat(isReady(pod)).isTrue());
        return pod(pod);
    }

    /** The next Pod of that name. */
    Pod awaitReadyAfter(Pod before) {
        String name = before.getMetadata().getName();
        eventually(() -> assertThat(pod(name).getMetadata().getUid())
                .isNotEqualTo(before.getMetadata().getUid()));
        return awaitReady(name);
    }

    /** The only Pod of a Job. */
    Pod awaitPhase(String job, String phase) {
        eventually(() -> assertThat(podOf(job).getStatus().getPhase()).isEqualTo(phase));
        return podOf(job);
    }

    private Pod podOf(String job) {
        return client.pods()
                .inNamespace(namespace)
                .withLabel("app", job)
                .list()
                .getItems()
                .get(0);
    }

    void eventually(ThrowingRunnable assertion) {
        Awaitility.await()
                .ignoreExceptions()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(assertion);
    }

    /** As root; the values of the rows, with blanks between them. */
    String sql(Pod pod, String statement) {
        MySQLConnectOptions options = new MySQLConnectOptions()
                .setHost(pod.getStatus().getPodIP())
                .setUser("root")
                .setPassword(HandMadeObjects.PASSWORD);
        return MySQLConnection.connect(vertx, options)
                .compose(connection -> connection
                        .query(statement)
                        .execute()
                        .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                                .map(HandMadeCluster::values)
                                .collect(Collectors.joining(" ")))
                        .eventually(() -> connection.close()))
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    private static String values(Row row) {
        return IntStream.range(0, row.size())
                .mapToObj(column -> String.valueOf(row.getValue(column)))
                .collect(Collectors.joining(" "));
    }

    @Override
    public void close() {
        client.namespaces().withName(namespace).delete();
        node.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}

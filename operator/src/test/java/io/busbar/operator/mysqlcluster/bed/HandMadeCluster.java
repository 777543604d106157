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
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/** Database servers and Jobs as an operator would make them, made by hand, on a Node of databases. One thread. */
final class HandMadeCluster implements AutoCloseable {

    private static final String PASSWORD = "it's \\secret";

    private static final String CONFIG = """
            apiVersion: v1
            kind: List
            items:
            - apiVersion: v1
              kind: Secret
              metadata: {name: db-auth}
              stringData: {root-password: "it's \\\\secret"}
            - apiVersion: v1
              kind: ConfigMap
              metadata: {name: db-config}
              data:
                my.cnf: "[mysqld]\\nmax_connections=77\\nserver_id=1\\n"
                db-0.cnf: "[mysqld]\\nserver_id=100\\n"
                db-1.cnf: "[mysqld]\\nserver_id=101\\n"
            """;

    private static final String SERVERS = """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: db}
            spec:
              replicas: %d
              serviceName: db
              podManagementPolicy: Parallel
              selector: {matchLabels: {app: db}}
              template:
                metadata: {labels: {app: db}}
                spec:
                  nodeSelector: {kubernetes.io/hostname: %s}
                  terminationGracePeriodSeconds: 10
                  containers:
                  - name: mysql
                    image: mysql:8.4
                    ports: [{containerPort: 3306}]
                    env:
                    - {name: MYSQL_ROOT_PASSWORD, valueFrom: {secretKeyRef: {name: db-auth, key: root-password}}}
                    - {name: POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
                    readinessProbe: {tcpSocket: {port: 3306}}
                    volumeMounts:
                    - {name: data, mountPath: /var/lib/mysql}
                    - {name: config, mountPath: /etc/mysql/conf.d/10-all.cnf, subPath: my.cnf}
                    - {name: config, mountPath: /etc/mysql/conf.d/20-own.cnf, subPathExpr: $(POD_NAME).cnf}
                  volumes: [{name: config, configMap: {name: db-config}}]
              volumeClaimTemplates:
              - metadata: {name: data}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            """;

    private static final String JOB = """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: job}
            spec:
              backoffLimit: 0
              template:
                metadata: {labels: {app: job}}
                spec:
                  nodeSelector: {kubernetes.io/hostname: %s}
                  restartPolicy: Never
                  volumes:
                  - {name: backup, hostPath: {path: %s, type: Directory}}
                  - {name: config, configMap: {name: db-config}}
                  containers:
                  - name: job
                    image: mysql:8.4
            %s
            """;

    private final Vertx vertx = Vertx.vertx();
    private final KubernetesClient client;
    private final DatabaseNode node;
    private String namespace = "";

    /** @param sandbox unless another cluster is asked for */
    HandMadeCluster(KubernetesClient sandbox) {
        String given = System.getProperty("busbar.cluster", "");
        this.client = given.isEmpty()
                ? sandbox
                : new KubernetesClientBuilder()
                        .withConfig(Config.fromKubeconfig(new File(given)))
                        .build();
        this.node = DatabaseNode.start(client);
    }

    KubernetesClient client() {
        return client;
    }

    void createNamespace() {
        namespace = "bed-" + UUID.randomUUID().toString().substring(0, 8);
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
        create(CONFIG);
    }

    void deleteNamespace() {
        client.namespaces().withName(namespace).delete();
    }

    void createServers(int replicas) {
        create(SERVERS.formatted(replicas, node.name()));
    }

    /** @param container of the Job, in YAML, without its name and image */
    void createJob(String container, Path backup) {
        create(JOB.formatted(node.name(), backup, container.indent(8)));
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

    Job job() {
        return client.batch().v1().jobs().inNamespace(namespace).withName("job").require();
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
        eventually(() -> {
            Pod now = pod(name);
            assertThat(now.getMetadata().getUid())
                    .isNotEqualTo(before.getMetadata().getUid());
            assertThat(isReady(name)).isTrue();
        });
        return pod(name);
    }

    /** The only Pod of an app. */
    Pod awaitPhase(String app, String phase) {
        Optional<Pod> found = Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> client.pods().inNamespace(namespace).withLabel("app", app).list().getItems().stream()
                                .filter(pod -> pod.getStatus().getPhase().equals(phase))
                                .findFirst(),
                        Optional::isPresent);
        return found.orElseThrow();
    }

    void eventually(ThrowingRunnable assertion) {
        Awaitility.await()
                .ignoreExceptions()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(assertion);
    }

    /** As root; the values of the rows, with blanks between them. */
    String sql(Pod pod, String statement) {
        MySQLConnectOptions options = new MySQLConnectOptions()
                .setHost(pod.getStatus().getPodIP())
                .setUser("root")
                .setPassword(PASSWORD);
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
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    private static String values(Row row) {
        return IntStream.range(0, row.size())
                .mapToObj(column -> String.valueOf(row.getValue(column)))
                .collect(Collectors.joining(" "));
    }

    @Override
    public void close() {
        node.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}

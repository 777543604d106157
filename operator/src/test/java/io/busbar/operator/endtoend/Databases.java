package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.bed.DatabaseNode;
import io.busbar.operator.mysqlcluster.bed.DatabasePod;
import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/** MySQLClusters with real servers of one product, on a Node that this machine plays. */
final class Databases implements AutoCloseable {

    /** Of what takes several Jobs, on a machine that has other things to do. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Cluster cluster;
    private final Product product;
    private final DatabaseNode node;
    private final Vertx vertx = Vertx.vertx();

    Databases(Cluster cluster, Product product) {
        this.cluster = cluster;
        this.product = product;
        this.node = DatabaseNode.start(cluster.client());
    }

    /**
     * Makes one.
     *
     * @param spec in the flow style of YAML, without what brings its Pods to the Node
     */
    MySQLCluster create(String name, String spec) {
        return create(name, spec, "");
    }

    /** @param pods what its Pods get besides, in the flow style of YAML */
    MySQLCluster create(String name, String spec, String pods) {
        String selector = node.selector().entrySet().stream()
                .map(label -> label.getKey() + ": " + label.getValue())
                .reduce("", (one, other) -> one + other);
        return cluster.create(MySQLCluster.class, """
                apiVersion: database.example.com/v1alpha1
                kind: MySQLCluster
                metadata: {name: %s, namespace: %s}
                spec: {image: "%s", podTemplate: {nodeSelector: {%s}, tolerations: [%s]%s}, %s}
                """.formatted(
                        name,
                        cluster.namespace(),
                        product.image(),
                        selector,
                        DatabaseNode.TOLERATION,
                        pods.isEmpty() ? "" : ", " + pods.replace('\n', ' '),
                        spec));
    }

    Product product() {
        return product;
    }

    /** What can be done to the server of a Pod. */
    DatabasePod server(String pod) {
        return node.pod(cluster.namespace(), pod);
    }

    /** What a Job runs in; Pods of an earlier one of that name may be there still. */
    DatabasePod ofJob(String job) {
        String uid = cluster.get(Job.class, job).getMetadata().getUid();
        return server(
                cluster
                        .client()
                        .pods()
                        .inNamespace(cluster.namespace())
                        .withLabel("job-name", job)
                        .list()
                        .getItems()
                        .stream()
                        .map(Pod::getMetadata)
                        .filter(pod -> pod.getOwnerReferences().stream()
                                .anyMatch(owner -> owner.getUid().equals(uid)))
                        .map(ObjectMeta::getName)
                        .findFirst()
                        .orElseThrow());
    }

    MySQLClusterStatus status(String name) {
        MySQLClusterStatus status = cluster.get(MySQLCluster.class, name).getStatus();
        assertThat(status).as("status of " + name).isNotNull();
        return status;
    }

    /** All members serve, and nothing is under way. */
    MySQLClusterStatus running(String name, int members) {
        return running(name, members, PATIENCE);
    }

    /** The same, some time later. */
    MySQLClusterStatus running(String name, int members, Duration patience) {
        within(patience, () -> {
            MySQLCluster stored = cluster.get(MySQLCluster.class, name);
            MySQLClusterStatus status = stored.told();
            assertThat(status.observedGeneration())
                    .as(status.toString())
                    .isEqualTo(stored.getMetadata().getGeneration());
            assertThat(status.phase()).as(status.toString()).isEqualTo("Running");
            assertThat(status.readyReplicas()).as(status.toString()).isEqualTo(members);
            assertThat(status.nodes()).hasSize(members);
        });
        return status(name);
    }

    String condition(String name, String type) {
        return Conditions.find(status(name).conditions(), type)
                .map(condition -> condition.getStatus() + " " + condition.getReason())
                .orElse("");
    }

    String reason(String name, String type) {
        return Conditions.find(status(name).conditions(), type)
                .map(Condition::getReason)
                .orElse("");
    }

    String message(String name, String type) {
        return Conditions.find(status(name).conditions(), type).orElseThrow().getMessage();
    }

    /** As root, past what Services say. */
    SqlClient connect(String name, String pod) {
        return connect(pod, "root", password(name, "root-password"));
    }

    Pod pod(String name) {
        return cluster.get(Pod.class, name);
    }

    /** Over TLS where the server has a certificate. */
    SqlClient connect(String pod, String user, String password) {
        return connect(cluster.get(Pod.class, pod), user, password);
    }

    private SqlClient connect(Pod pod, String user, String password) {
        return SqlClient.connect(vertx, address(pod), user, password, ClusterNames.isEncrypted(pod.getSpec()));
    }

    /** For who does not wait long for an answer. */
    SqlClient connectBriefly(Pod pod, String user, String password) {
        return SqlClient.connect(
                vertx, address(pod), user, password, ClusterNames.isEncrypted(pod.getSpec()), SqlClient.BRIEF);
    }

    /** As the operator, whose sessions the operator does not end. */
    SqlClient connectAsOperator(String name, String pod) {
        return connect(pod, "busbar_operator", password(name, "operator-password"));
    }

    /** The same, for who does not wait long for an answer. */
    SqlClient connectAsOperatorBriefly(String name, String pod) {
        return connectBriefly(cluster.get(Pod.class, pod), "busbar_operator", password(name, "operator-password"));
    }

    List<String> query(String name, String pod, String sql) {
        try (SqlClient client = connect(name, pod)) {
            return client.query(sql);
        }
    }

    /** As the operator. */
    List<String> queryAsOperator(String name, String pod, String sql) {
        try (SqlClient client = connectAsOperator(name, pod)) {
            return client.query(sql);
        }
    }

    /** As root, which MariaDB lets write to a read-only server, and MySQL once it is told to. */
    void writePastReadOnly(String name, String pod, String... statements) {
        try (SqlClient client = connect(name, pod)) {
            if (product == Product.MYSQL) {
                client.query("SET GLOBAL super_read_only = OFF");
            }
            for (String statement : statements) {
                client.query(statement);
            }
        }
    }

    /** Makes a replica apply what it receives much later. */
    void delay(String name, String pod) {
        List<String> statements = product == Product.MARIADB
                ? List.of("STOP SLAVE", "CHANGE MASTER TO MASTER_DELAY = 3600", "START SLAVE")
                : List.of("STOP REPLICA", "CHANGE REPLICATION SOURCE TO SOURCE_DELAY = 3600", "START REPLICA");
        // The operator starts a replica that stands still, and then the second statement is refused.
        eventually(() -> {
            try (SqlClient client = connect(name, pod)) {
                statements.forEach(client::query);
            }
        });
    }

    /**
     * Whether the threads of a replica that receive and apply run, as the server says it; empty for one that follows
     * nobody.
     */
    List<String> threads(String name, String pod) {
        return product == Product.MARIADB
                ? column(name, pod, "SHOW ALL SLAVES STATUS", "Slave_IO_Running", "Slave_SQL_Running")
                : column(name, pod, "SHOW REPLICA STATUS", "Replica_IO_Running", "Replica_SQL_Running");
    }

    /** Of each row, some columns by name, as text. */
    List<String> column(String name, String pod, String sql, String... columns) {
        try (SqlClient client = connect(name, pod)) {
            return client.query(sql, columns);
        }
    }

    /** Where a Service leads to, for connections that begin now: a Pod with the role that is ready. */
    Optional<Pod> servicePod(String name, String role) {
        return cluster
                .client()
                .pods()
                .inNamespace(cluster.namespace())
                .withLabel("mysqlcluster_cr", name)
                .withLabel("mysqlcluster_role", role)
                .list()
                .getItems()
                .stream()
                .filter(Readiness::isPodReady)
                .findFirst();
    }

    Vertx vertx() {
        return vertx;
    }

    String address(String pod) {
        return address(cluster.get(Pod.class, pod));
    }

    private static String address(Pod pod) {
        return Optional.ofNullable(pod.getStatus().getPodIP())
                .orElseThrow(() -> new IllegalStateException(pod.getMetadata().getName() + " has no address yet"));
    }

    String password(String name, String key) {
        String encoded = cluster.get(Secret.class, name + "-auth").getData().get(key);
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    }

    /** Pods that a Service would lead to. */
    List<String> labelled(String name, String role) {
        return cluster
                .client()
                .pods()
                .inNamespace(cluster.namespace())
                .withLabel("mysqlcluster_cr", name)
                .withLabel("mysqlcluster_role", role)
                .list()
                .getItems()
                .stream()
                .map(pod -> pod.getMetadata().getName())
                .sorted()
                .toList();
    }

    /** Reasons of the Events about one. */
    List<String> events(String name) {
        return cluster.client().resources(Event.class).inNamespace(cluster.namespace()).list().getItems().stream()
                .filter(event -> event.getRegarding().getName().equals(name))
                .map(Event::getReason)
                .toList();
    }

    /** Waits until these were told about one, which may be a moment after its status says so. */
    void awaitEvents(String name, String... reasons) {
        eventually(() -> assertThat(events(name)).contains(reasons));
    }

    /** How often an Event with that reason was told about one. */
    int told(String name, String reason) {
        return cluster.client().resources(Event.class).inNamespace(cluster.namespace()).list().getItems().stream()
                .filter(event -> event.getRegarding().getName().equals(name)
                        && event.getReason().equals(reason))
                .mapToInt(event ->
                        event.getSeries() == null ? 1 : event.getSeries().getCount())
                .sum();
    }

    /** What Events of a reason say of a cluster. */
    List<String> notes(String name, String reason) {
        return cluster.client().resources(Event.class).inNamespace(cluster.namespace()).list().getItems().stream()
                .filter(event -> event.getRegarding().getName().equals(name)
                        && event.getReason().equals(reason))
                .map(Event::getNote)
                .toList();
    }

    void eventually(ThrowingRunnable assertion) {
        within(PATIENCE, assertion);
    }

    static void within(Duration patience, ThrowingRunnable assertion) {
        Awaitility.await()
                .ignoreExceptions() // of servers that are on their way
                .atMost(patience)
                .pollInterval(Cluster.LOOK)
                .untilAsserted(assertion);
    }

    @Override
    public void close() {
        node.close();
        vertx.close();
    }
}

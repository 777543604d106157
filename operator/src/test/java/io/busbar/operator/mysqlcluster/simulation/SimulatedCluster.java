package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.MySQLClusterBundle;
import io.busbar.operator.mysqlcluster.access.Passwords;
import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.busbar.reconciler.Reconciler;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;

/**
 * A cluster {@code db} in the namespace {@code default}, the operator that keeps it, and clients that write whenever
 * they can. A turn is one reconcile, and one second for all others. For one thread.
 */
final class SimulatedCluster {

    private static final String NAME = "db";
    private static final int MOST_TURNS = 200;

    private static final String BACKUP = """
            metadata: {name: b, namespace: default}
            spec: {clusterName: db}
            status:
              storage: {hostPath: /backups}
              file: db/b.sql.gz
              sha256: any
              gtid: %s
              conditions: [{type: Complete, status: 'True'}]
            """;
    private static final String RESTORE = """
            metadata: {name: again, namespace: default, resourceVersion: '1', uid: %s}
            spec: {clusterName: db, backupName: b}
            """;

    final Calls calls = new Calls(this::write, this::ended);
    final SimulatedServers servers = new SimulatedServers(calls);
    final InMemoryContext<MySQLCluster> context;
    final SimulatedNode node;
    final MeterRegistry meters = new SimpleMeterRegistry();

    /** Every Event, as {@code type reason: note}; none of an operator that has ended by then. */
    final List<String> events = new ArrayList<>();

    /** Whenever a Service had two ends to write to. */
    private final List<String> twoPrimaries = new ArrayList<>();

    /** Whether programs log in before they write, with what the Secret has. */
    private boolean logsIn;

    /** The Pod that the Service of the primary led to last. */
    private String routed = "";

    private int eventsSeen;
    private int eventsAtEnd;
    private Reconciler<MySQLCluster> operator;

    private SimulatedCluster(InMemoryContext<MySQLCluster> context) {
        this.context = context;
        node = new SimulatedNode(context, servers);
        context.passRequestsThrough(new CountedRequests(calls));
        operator = operator();
    }

    /**
     * @param spec in YAML
     */
    SimulatedCluster(String spec) {
        this(InMemoryContext.of(cluster(spec)));
    }

    private static MySQLCluster cluster(String spec) {
        MySQLCluster cluster = new MySQLCluster();
        cluster.setMetadata(
                new ObjectMetaBuilder().withName(NAME).withNamespace("default").build());
        cluster.setSpec(Serialization.unmarshal(spec, MySQLClusterSpec.class));
        return cluster;
    }

    /** One that has settled. */
    static SimulatedCluster running(String spec) {
        SimulatedCluster settled = new SimulatedCluster(spec);
        settled.settle();
        return settled.again();
    }

    /** Another in the same state, under an operator that begins; where this one has settled. */
    SimulatedCluster again() {
        SimulatedCluster copy = new SimulatedCluster(context.copy());
        copy.servers.copyFrom(servers);
        copy.servers.replicate();
        return copy;
    }

    @SuppressWarnings("unchecked") // the first is that of clusters
    private Reconciler<MySQLCluster> operator() {
        MySQLClusterBundle bundle = new MySQLClusterBundle(its -> servers, context.clock());
        new CommandLine(bundle.flags().orElseThrow()).parseArgs("--storage-image=busbar:1");
        return (Reconciler<MySQLCluster>) bundle.controllers(BundleContext.declaring("busbar-system", meters))
                .get(0)
                .reconciler();
    }

    void spec(String yaml) {
        MySQLCluster cluster = cluster();
        cluster.setMetadata(new ObjectMetaBuilder(cluster.getMetadata())
                .withGeneration(cluster.getMetadata().getGeneration() + 1)
                .build());
        cluster.setSpec(Serialization.unmarshal(yaml, MySQLClusterSpec.class));
        context.put(cluster);
    }

    /** As where the cluster's objects were put back from a backup, or somebody has emptied the status. */
    void loseStatus() {
        context.put(cluster().with(MySQLClusterStatus.NONE));
        newOperator();
    }

    /** A backup of now is to be put back: what clients write from now on is lost, by intention. */
    void restore() {
        restore(server(0));
    }

    /** @param source that the backup is of */
    void restore(SimulatedServer source) {
        backUp(source);
        context.put(restore("first"));
    }

    /** The MySQLRestore is deleted and made again, under the same name. */
    void restoreAnew() {
        context.remove(context.get(MySQLRestore.class, "again").orElseThrow());
        context.put(restore("second"));
    }

    private static MySQLRestore restore(String uid) {
        return Serialization.unmarshal(RESTORE.formatted(uid), MySQLRestore.class);
    }

    /** A backup {@code b} of now is complete. */
    void backUp(SimulatedServer source) {
        context.put(Serialization.unmarshal(BACKUP.formatted(node.backUp(source)), MySQLBackup.class));
    }

    void annotate(String key, String value) {
        MySQLCluster cluster = cluster();
        cluster.setMetadata(new ObjectMetaBuilder(cluster.getMetadata())
                .addToAnnotations(key, value)
                .build());
        context.put(cluster);
    }

    /** As of a cluster that an older operator has kept. */
    void forgetAnnotations() {
        MySQLCluster cluster = cluster();
        cluster.getMetadata().setAnnotations(null);
        context.put(cluster);
        newOperator();
    }

    /** As the API server has it. */
    MySQLCluster cluster() {
        MySQLCluster stored = context.primary();
        return stored.with(stored.told());
    }

    MySQLClusterStatus status() {
        return cluster().told();
    }

    SimulatedServer server(int ordinal) {
        return servers.of(ClusterNames.pod(NAME, ordinal));
    }

    Pod pod(int ordinal) {
        return context.get(Pod.class, ClusterNames.pod(NAME, ordinal)).orElseThrow();
    }

    /** Of a Pod: to which Service it belongs. */
    String role(int ordinal) {
        return ClusterNames.label(pod(ordinal), ClusterNames.ROLE);
    }

    /**
     * @return whether the operator got to its end
     */
    boolean reconcile() {
        try {
            context.reconcile(operator);
        } catch (KubernetesClientException failed) {
            if (!calls.hasFailed()) {
                throw failed;
            }
        } catch (OperatorCrash ended) {
            // Another one begins.
        } catch (Exception unexpected) {
            throw new AssertionError(this + "", unexpected);
        }
        List<String> told = context.toldEvents();
        events.addAll(told.subList(eventsSeen, calls.hasEnded() ? eventsAtEnd : told.size()));
        eventsSeen = told.size();
        boolean isWhole = !calls.hasEnded();
        if (!isWhole) {
            newOperator();
        }
        labelled();
        assertThat(twoPrimaries).as("two labelled at once: %s", this).isEmpty();
        return isWhole;
    }

    /** What the operator tells from now on, nobody hears. */
    private void ended() {
        eventsAtEnd = context.toldEvents().size();
    }

    /** Nothing but what is stored is known to it. */
    void newOperator() {
        calls.restart();
        context.restart();
        operator = operator();
    }

    /** What everybody but the operator does in a second. */
    void pass() {
        context.advance(Duration.ofSeconds(1));
        node.work();
        servers.replicate();
        write();
        servers.replicate();
    }

    void turns(int count) {
        for (int i = 0; i < count; i++) {
            reconcile();
            pass();
        }
    }

    void until(BooleanSupplier holds) {
        for (int i = 0; i < MOST_TURNS; i++) {
            reconcile();
            if (holds.getAsBoolean()) {
                return;
            }
            pass();
        }
        throw new AssertionError("not after " + MOST_TURNS + " turns: " + this);
    }

    /** Until nothing more is to be done. */
    void settle() {
        int quiet = 0;
        for (int i = 0; i < MOST_TURNS; i++) {
            boolean isWhole = reconcile();
            quiet = isWhole && isQuiet() ? quiet + 1 : 0;
            if (quiet == 2) {
                return;
            }
            pass();
        }
        throw new AssertionError("not settled after " + MOST_TURNS + " turns: " + this);
    }

    private boolean isQuiet() {
        return "Running".equals(status().phase())
                && status().observedGeneration() == cluster().getMetadata().getGeneration()
                && !status().failover().underWay()
                && Conditions.find(status().conditions(), ConditionTypes.PASSWORDS_ROTATED)
                        .filter(one -> one.getStatus().equals("False"))
                        .isEmpty()
                && !node.isBusy();
    }

    /**
     * Clients write to whom the Service leads, and go on writing to whom they have a connection. As routes follow
     * labels with a delay, they still get to whom it led last while it leads to nobody.
     */
    void write() {
        List<String> primaries = labelled();
        if (!primaries.isEmpty()) {
            routed = primaries.get(0);
        }
        context.list(Pod.class).stream()
                .filter(pod -> pod.getMetadata().getName().equals(routed) && SimulatedNode.isReady(pod))
                .forEach(pod -> connect(servers.of(routed)));
        servers.all().stream().filter(server -> server.connected).forEach(servers::write);
    }

    private void connect(SimulatedServer server) {
        server.connected = true;
        if (logsIn && !server.admits(ClusterNames.APPLICATION, password(Passwords.APPLICATION_PASSWORD_KEY))) {
            servers.denials.add(ClusterNames.APPLICATION + " at " + server.pod);
        }
    }

    /** From now on it is noted where somebody is not let in who reads the Secret. */
    void checkLogins() {
        servers.denials.clear();
        logsIn = true;
    }

    /** In the Secret. */
    String password(String key) {
        return Passwords.value(context.get(Secret.class, "db-auth").orElseThrow(), key)
                .orElse("");
    }

    /** Pods that the Service of the primary leads to: never two. */
    List<String> labelled() {
        List<String> primaries = context.list(Pod.class).stream()
                .filter(pod -> ClusterNames.label(pod, ClusterNames.ROLE).equals(ClusterNames.PRIMARY))
                .map(pod -> pod.getMetadata().getName())
                .toList();
        if (primaries.size() > 1) {
            twoPrimaries.add(primaries + " after " + calls.made());
        }
        return primaries;
    }

    /** The reason of a condition; empty unless it is true. */
    String reason(String condition) {
        return Conditions.find(status().conditions(), condition)
                .filter(one -> one.getStatus().equals("True"))
                .map(Condition::getReason)
                .orElse("");
    }

    String message(String condition) {
        return Conditions.find(status().conditions(), condition)
                .map(Condition::getMessage)
                .orElse("");
    }

    /** How often something was told. */
    long told(String reason) {
        return events.stream()
                .filter(event -> event.contains(" " + reason + ":"))
                .count();
    }

    /** Calls whose names begin so, in order. */
    List<String> made(String what) {
        return calls.made().stream().filter(call -> call.startsWith(what)).toList();
    }

    List<String> writable() {
        return servers.all().stream()
                .filter(server -> server.up && !server.readOnly)
                .map(server -> server.pod)
                .toList();
    }

    static Endpoint endpoint(int ordinal) {
        return new Endpoint("127.0.0." + (11 + ordinal), ClusterNames.PORT);
    }

    @Override
    public String toString() {
        return Serialization.asYaml(status()) + "events: " + events + "\ncalls: " + calls.made();
    }
}

package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.endtoend.InterruptibleOperator.Life;
import io.busbar.operator.endtoend.InterruptibleOperator.When;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/**
 * Lets an operator do the same task again and again on one cluster, and end at the first of its actions, the second,
 * and so on, until it is done before that one comes. Each time another operator goes on, and the cluster has to be
 * whole in the end. For one thread.
 */
final class Interruptions {

    /** A switchover that failed is tried again after a minute, which an operator that was killed begins anew. */
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private static final int PERIOD_MILLIS = 100;
    private static final String SUM = "SELECT CONCAT(COUNT(*), ' ', COALESCE(SUM(CRC32(number)), 0)) FROM "
            + RowWriter.TABLE + " WHERE number <= ";

    private final Cluster cluster;
    private final Databases databases;
    private final InterruptibleOperator operator;
    private final Journal journal;
    private final String what;
    private final Task task;
    private final List<String> failures = new ArrayList<>();
    private @Nullable RowWriter writer;
    private String name = "";
    private int clusters;

    /** What the operator is to bring about. */
    interface Task {

        /** Of the cluster that it is done to. */
        String spec();

        /** Gives a new cluster what it has to have, but for what programs write. */
        default void prepare(String cluster) {}

        /** Whether programs write all the time; else nobody but the task does. */
        default boolean whileWritten() {
            return true;
        }

        /**
         * Gives the operator something to do.
         *
         * @param round another one each time
         */
        void begin(String cluster, int round);

        /** Fails as long as it is not done. */
        void check(String cluster, int round);
    }

    Interruptions(
            Cluster cluster,
            Databases databases,
            InterruptibleOperator operator,
            Journal journal,
            String what,
            Task task) {
        this.cluster = cluster;
        this.databases = databases;
        this.operator = operator;
        this.journal = journal;
        this.what = what;
        this.task = task;
    }

    /**
     * @param stride how many actions further it ends the next time
     */
    void atActions(int stride) throws Exception {
        begin();
        int interrupted = 0;
        int round = 0;
        List<Integer> undisturbed = new ArrayList<>();
        for (When when : When.values()) {
            boolean ended = true;
            for (int action = 1; ended; action += stride) {
                round++;
                Life life = operator.endAt(action, when);
                try {
                    interrupt(round, life);
                } catch (AssertionError broken) {
                    failures.add("#" + action + " " + life.end() + ": " + broken.getMessage());
                    journal.note(what + " WENT WRONG #" + action + " " + life.end() + ": " + broken.getMessage());
                    operator.startAnother();
                    end();
                    begin();
                }
                ended = !life.end().isEmpty();
                if (ended) {
                    interrupted++;
                    journal.note(what + " #" + action + " ended " + life.end());
                } else {
                    undisturbed.add(life.actions());
                }
            }
        }
        String figures = "%s on %s: ended at %d actions, %d went wrong; undisturbed it takes %s"
                .formatted(what, databases.product(), interrupted, failures.size(), undisturbed);
        journal.note(figures);
        System.out.println(figures);
        assertThat(failures).as(figures).isEmpty();
    }

    private void begin() {
        clusters++;
        name = what + clusters;
        databases.create(name, task.spec());
        within(this::isWhole);
        task.prepare(name);
        writer = task.whileWritten() ? RowWriter.start(databases, name, 2) : null;
        within(this::isWhole);
    }

    private void interrupt(int round, Life life) throws Exception {
        task.begin(name, round);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        boolean another = false;
        boolean done = false;
        while (!done) {
            if (!another && !life.end().isEmpty()) {
                operator.startAnother();
                another = true;
            }
            try {
                task.check(name, round);
                isWhole();
                done = true;
            } catch (AssertionError | RuntimeException notYet) { // of servers that are on their way, too
                if (System.nanoTime() > deadline) {
                    throw new AssertionError(notYet.getMessage() + "\n" + databases.status(name), notYet);
                }
                Thread.sleep(PERIOD_MILLIS);
            }
        }
        if (!another && !life.end().isEmpty()) {
            operator.startAnother();
        }
        keepsAll();
    }

    /** One takes writes, all follow it, and there is no half of a copy. */
    private void isWhole() {
        MySQLClusterStatus status = databases.status(name);
        assertThat(status.phase()).isEqualTo("Running");
        assertThat(status.failover().underWay()).as("failover").isFalse();
        assertThat(status.nodes()).isNotEmpty();
        assertThat(status.readyReplicas()).isEqualTo(status.nodes().size());
        assertThat(databases.labelled(name, "primary")).containsExactly(status.currentPrimary());
        for (String pod : status.nodes()) {
            boolean isPrimary = pod.equals(status.currentPrimary());
            assertThat(databases.queryAsOperator(name, pod, "SELECT @@GLOBAL.read_only"))
                    .as("read_only of %s", pod)
                    .containsExactly(isPrimary ? "0" : "1");
            assertThat(databases.queryAsOperator(name, pod, "SHOW DATABASES"))
                    .as("databases of %s", pod)
                    .noneMatch(database -> database.startsWith("busbar_copy"));
            assertThat(databases.threads(name, pod))
                    .as("threads of %s", pod)
                    .isEqualTo(isPrimary ? List.of() : List.of("Yes", "Yes"));
        }
    }

    /** The primary has what was acknowledged, and every member has the same. */
    private void keepsAll() {
        if (writer == null) {
            return;
        }
        Set<Long> missing = new TreeSet<>();
        writer.acknowledged().forEach(one -> missing.add(one.number()));
        long last = writer.lastAcknowledged();
        String primary = String.valueOf(databases.status(name).currentPrimary());
        Set<Long> there = new HashSet<>();
        databases
                .queryAsOperator(name, primary, "SELECT number FROM " + RowWriter.TABLE)
                .forEach(row -> there.add(Long.valueOf(row)));
        missing.removeAll(there);
        assertThat(missing).as("acknowledged and lost").isEmpty();
        for (String pod : databases.status(name).nodes()) {
            within(() -> assertThat(databases.queryAsOperator(name, pod, SUM + last))
                    .as("rows of %s", pod)
                    .isEqualTo(databases.queryAsOperator(name, primary, SUM + last)));
        }
    }

    private void within(ThrowingRunnable assertion) {
        Awaitility.await()
                .ignoreExceptions()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(PERIOD_MILLIS))
                .untilAsserted(assertion);
    }

    /** Takes away what it has left. */
    void end() throws InterruptedException {
        if (writer != null) {
            writer.end();
        }
        for (Pod pod : cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withLabel("mysqlcluster_cr", name)
                .list()
                .getItems()) {
            databases.server(pod.getMetadata().getName()).release();
        }
        cluster.resource(MySQLCluster.class, name).delete();
    }
}

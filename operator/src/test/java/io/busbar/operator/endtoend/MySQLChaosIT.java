package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Servers and the operator are killed, frozen and moved about at random, for as long as the property {@code busbar.chaos} says, such as
 * {@code PT20M}, while a program writes; at the end no write that was acknowledged is missing. What happened is told in {@code target/chaos}.
 */
@WithDatabases
@EnabledIfSystemProperty(named = "busbar.chaos", matches = ".+", disabledReason = "a long run, by -Dbusbar.chaos=PT20M")
class MySQLChaosIT {

    private static final String NAME = "chaos";
    private static final int SERVERS = 3;
    private static final int LONGEST_PAUSE_MILLIS = 8_000;
    private static final Path FOLDER = Path.of("target", "chaos");
    private static final String SUM =
            "SELECT CONCAT(COUNT(*), ' rows, sum ', COALESCE(SUM(CRC32(number)), 0)) FROM " + RowWriter.TABLE;

    private final Cluster cluster;
    private final Databases databases;
    private final long seed = Long.getLong("busbar.chaos.seed", 20_260_308L);
    private KillableOperator operator;
    private Journal journal;

    MySQLChaosIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    @BeforeEach
    void runs_the_jar_in_place_of_the_operator_in_this_jvm() throws IOException {
        Files.createDirectories(FOLDER);
        journal = new Journal(FOLDER.resolve("journal.log"));
        Files.deleteIfExists(FOLDER.resolve("operator.log"));
        cluster.running().stopOperator();
        operator = new KillableOperator(cluster.running(), FOLDER.resolve("operator.log"));
    }

    @AfterEach
    void goes_back_to_the_operator_in_this_jvm() throws Exception {
        for (int i = 0; i < SERVERS; i++) {
            String pod = NAME + "-" + i;
            Files.writeString(
                    FOLDER.resolve(pod + ".log"), databases.server(pod).log());
        }
        operator.end();
        journal.close();
        cluster.running().startOperator();
    }

    @Test
    void loses_no_acknowledged_write_whatever_is_killed() throws Exception {
        journal.note("seed " + seed);
        databases.eventually(
                () -> databases.create(NAME, "size: 3, failover: {delaySeconds: 1}, replication: {semiSync: true}"));
        databases.running(NAME, SERVERS);
        Random random = new Random(seed);
        StatusChanges changes = new StatusChanges(cluster.client(), cluster.namespace(), journal);
        Instant end = Instant.now().plus(Duration.parse(System.getProperty("busbar.chaos")));
        Mischief mischief = new Mischief(cluster, databases, NAME, operator, random, journal);
        WritableSpans writable = WritableSpans.watch(databases, NAME, SERVERS);
        RowWriter writer = RowWriter.start(databases, NAME, 2);
        try {
            while (Instant.now().isBefore(end)) {
                Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
                mischief.act();
            }
        } finally {
            mischief.end();
            writer.end();
            writable.end();
        }
        journal.note("quiet");
        databases.running(NAME, SERVERS);
        journal.note("running");
        changes.close();
        new ChaosFigures(databases, NAME).tell(journal, mischief.primaryLost(), writer.acknowledged());
        writable.overlaps().forEach(journal::note);

        assertThat(missing(writer.acknowledged())).as("acknowledged and lost").isEmpty();
        allAreAsTheyShouldBe();
        assertThat(writable.overlaps()).as("two writable at once").isEmpty();
    }

    private Set<Long> missing(Collection<RowWriter.Acknowledged> acknowledged) {
        String primary = String.valueOf(databases.status(NAME).currentPrimary());
        Set<Long> missing = new TreeSet<>();
        acknowledged.forEach(one -> missing.add(one.number()));
        Set<Long> there = new HashSet<>();
        databases
                .query(NAME, primary, "SELECT number FROM " + RowWriter.TABLE)
                .forEach(row -> there.add(Long.valueOf(row)));
        missing.removeAll(there);
        journal.note(acknowledged.size() + " acknowledged, " + there.size() + " there, missing: " + missing);
        return missing;
    }

    private void allAreAsTheyShouldBe() {
        MySQLClusterStatus status = databases.status(NAME);
        String primary = String.valueOf(status.currentPrimary());
        assertThat(databases.labelled(NAME, "primary")).containsExactly(primary);
        String sum = databases.query(NAME, primary, SUM).get(0);
        journal.note(primary + ": " + sum);
        for (String pod : status.nodes()) {
            boolean isPrimary = pod.equals(primary);
            assertThat(databases.query(NAME, pod, "SELECT @@GLOBAL.read_only"))
                    .as("read_only of %s", pod)
                    .containsExactly(isPrimary ? "0" : "1");
            databases.eventually(
                    () -> assertThat(databases.query(NAME, pod, SUM)).as(pod).containsExactly(sum));
            List<String> threads = databases.threads(NAME, pod);
            assertThat(threads).as("threads of %s", pod).isEqualTo(isPrimary ? List.of() : List.of("Yes", "Yes"));
        }
    }
}

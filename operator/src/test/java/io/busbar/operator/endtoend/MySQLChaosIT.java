package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Servers are killed, hang, lose their volumes, their Nodes and all their connections to other programs, are moved
 * about and restarted with other settings, and two operators are killed and frozen, at random, for as long as the
 * property {@code busbar.chaos} says, such as {@code PT30M}, while programs write, with {@code
 * -Dbusbar.chaos.tls=true} over TLS alone, and with {@code -Dbusbar.chaos.rotation=PT1M} while all passwords are
 * changed once a minute; at the end no write that was acknowledged is missing. With {@code
 * -Dbusbar.chaos.archive=true} binary logs are archived meanwhile, in a bucket that has troubles of its own, and bring
 * back all of it at the end. What happened is told in {@code target/chaos}, by product, with a table of times.
 */
@EnabledIfSystemProperty(named = "busbar.chaos", matches = ".+", disabledReason = "a long run, by -Dbusbar.chaos=PT30M")
@WithDatabases(alone = true)
class MySQLChaosIT {

    private static final String NAME = "chaos";
    private static final String TLS = Boolean.getBoolean("busbar.chaos.tls") ? ", tls: {mode: Required}" : "";
    private static final Optional<Duration> ROTATION =
            Optional.ofNullable(System.getProperty("busbar.chaos.rotation")).map(Duration::parse);
    private static final boolean ARCHIVE = Boolean.getBoolean("busbar.chaos.archive");
    private static final int SERVERS = 3;
    private static final int WRITERS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int LONGEST_PAUSE_MILLIS = 8_000;
    private static final int ROWS_AT_ONCE = 20_000;
    private static final String SUM =
            "SELECT CONCAT(COUNT(*), ' rows, sum ', COALESCE(SUM(CRC32(number)), 0)) FROM " + RowWriter.TABLE;
    private static final List<String> REASONS = List.of(
            "FailoverStarted",
            "FailoverCompleted",
            "FailoverFailed",
            "SwitchoverCompleted",
            "SwitchoverFailed",
            "RolloutCompleted",
            "PrimaryLacksData",
            "MemberDiverged",
            "MemberRecloned",
            "CloneFailed",
            "PasswordsRotated",
            "BackupCompleted",
            "BackupFailed",
            "BackupSkipped",
            "ArchiveFailed",
            "ArchiveBroken",
            "TooManyConnections",
            "SplitBrain");

    private final Cluster cluster;
    private final Databases databases;
    private final Path folder;
    private final long seed = Long.getLong("busbar.chaos.seed", 20_260_308L);
    private OperatorPair operators;
    private Journal journal;
    private Optional<ArchiveInTrouble> archive = Optional.empty();

    MySQLChaosIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
        this.folder = Path.of("target", "chaos", databases.product().name().toLowerCase(Locale.ROOT));
    }

    @BeforeEach
    void runs_two_processes_of_the_jar_in_place_of_the_operator_in_this_jvm() throws Exception {
        Files.createDirectories(folder);
        journal = new Journal(folder.resolve("journal.log"));
        cluster.running().stopOperator();
        cluster.running().removeWebhooks(); // which these two do not serve
        operators = new OperatorPair(
                cluster.running(), "chaos-" + databases.product().name().toLowerCase(Locale.ROOT), folder);
        if (ARCHIVE) {
            archive = Optional.of(ArchiveInTrouble.start(cluster, databases, journal));
        }
    }

    @AfterEach
    void goes_back_to_the_operator_in_this_jvm() throws Exception {
        for (int i = 0; i < SERVERS; i++) {
            String pod = NAME + "-" + i;
            Files.writeString(
                    folder.resolve(pod + ".log"), databases.server(pod).log());
        }
        operators.end();
        if (archive.isPresent()) {
            archive.get().close();
        }
        journal.close();
        cluster.running().startOperator();
    }

    @Test
    void loses_no_acknowledged_write_whatever_is_killed() throws Exception {
        journal.note("seed " + seed);
        String spec = "size: 3, failover: {delaySeconds: 1}, replication: {semiSync: true}" + TLS
                + ROTATION.map(every -> PasswordChanges.SPEC).orElse("")
                + archive.map(ArchiveInTrouble::spec).orElse("");
        databases.eventually(() -> databases.create(NAME, spec));
        databases.running(NAME, SERVERS, PATIENCE);
        Random random = new Random(seed);
        StatusChanges changes = new StatusChanges(cluster.client(), cluster.namespace(), journal);
        Instant end = Instant.now().plus(Duration.parse(System.getProperty("busbar.chaos")));
        WritableSpans writable = WritableSpans.watch(databases, NAME, SERVERS);
        RowWriter writer = RowWriter.start(databases, NAME, WRITERS);
        FaultRecord record = new FaultRecord(journal);
        Optional<PasswordChanges> passwords =
                ROTATION.map(every -> PasswordChanges.every(every, cluster, databases, NAME, journal));
        Mischief mischief = new Mischief(cluster, databases, NAME, operators, writer, random, record, archive);
        try {
            while (Instant.now().isBefore(end)) {
                Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
                mischief.act();
            }
            mischief.end();
        } finally {
            passwords.ifPresent(PasswordChanges::end);
            writer.end();
            writable.end();
            changes.close();
        }
        Set<Long> missing = missing(writer.acknowledged());
        tell(record, writer, missing, writable);

        assertThat(missing).as("acknowledged and lost").isEmpty();
        awaitUpdated();
        passwords.ifPresent(one -> one.checkLast(PATIENCE));
        String primary = allAreAsTheyShouldBe();
        archive.ifPresent(one -> one.checkRestore(NAME, primary, SUM));
        assertThat(writable.failures()).as("what ended a watch").isEmpty();
        assertThat(writable.overlaps()).as("two writable at once").isEmpty();
    }

    private void tell(FaultRecord record, RowWriter writer, Set<Long> missing, WritableSpans writable)
            throws IOException {
        Collection<RowWriter.Acknowledged> acknowledged = writer.acknowledged();
        List<String> overlaps = writable.overlaps();
        List<String> lines = new ArrayList<>();
        lines.add("%s for %s, seed %d: %d rows acknowledged, %d missing, %d times two were writable"
                .formatted(
                        databases.product(),
                        System.getProperty("busbar.chaos"),
                        seed,
                        acknowledged.size(),
                        missing.size(),
                        overlaps.size()));
        lines.add("%d faults, %d failovers; Events: "
                        .formatted(
                                record.faults().size(),
                                databases.status(NAME).failover().count())
                + String.join(
                        ", ",
                        REASONS.stream()
                                .map(reason -> reason + " " + databases.told(NAME, reason))
                                .toList()));
        lines.add("writers were denied what the Secret had " + writer.denials() + " times");
        archive.ifPresent(one -> lines.add(
                "archived: " + one.contents() + "; " + databases.status(NAME).archive()));
        lines.add("seen to take writes: " + writable.seen());
        lines.addAll(new ChaosFigures(record, acknowledged).lines());
        lines.forEach(journal::note);
        overlaps.forEach(journal::note);
        Files.write(folder.resolve("table.txt"), lines);
        System.out.println(String.join("\n", lines));
    }

    private Set<Long> missing(Collection<RowWriter.Acknowledged> acknowledged) {
        String primary = String.valueOf(databases.status(NAME).currentPrimary());
        Set<Long> missing = new TreeSet<>();
        acknowledged.forEach(one -> missing.add(one.number()));
        Set<Long> there = new HashSet<>();
        long last = acknowledged.stream()
                .mapToLong(RowWriter.Acknowledged::number)
                .max()
                .orElse(0);
        for (long from = 1; from <= last; from += ROWS_AT_ONCE) {
            databases
                    .query(
                            NAME,
                            primary,
                            "SELECT number FROM " + RowWriter.TABLE + " WHERE number BETWEEN " + from + " AND "
                                    + (from + ROWS_AT_ONCE - 1))
                    .forEach(row -> there.add(Long.valueOf(row)));
        }
        missing.removeAll(there);
        journal.note("missing: " + missing);
        return missing;
    }

    /** While passwords are changed a cluster may say that it runs before its last rollout goes on. */
    private void awaitUpdated() {
        Databases.within(PATIENCE, () -> {
            MySQLClusterStatus status = databases.status(NAME);
            assertThat(status.phase()).isEqualTo("Running");
            assertThat(status.updatedReplicas()).isEqualTo(SERVERS);
        });
    }

    /** The name of the primary. */
    private String allAreAsTheyShouldBe() {
        MySQLClusterStatus status = databases.running(NAME, SERVERS, PATIENCE);
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
        return primary;
    }
}

package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import io.busbar.operator.mysqlcluster.v1alpha1.ArchiveStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Binary logs are archived as often as that is asked for, and what is missing is told until it does not matter. */
class ArchivingTest {

    private static final String PLACE = "{s3: {bucket: backups, credentialsSecretRef: {name: s3}}}";
    private static final String SPEC = "size: 2\nbackup: {archive: {intervalSeconds: 10}, storage: " + PLACE + "}\n";
    private static final int TURNS = 60;

    private final SimulatedCluster cluster = SimulatedCluster.running(SPEC);

    private ArchiveStatus told() {
        return Objects.requireNonNullElse(cluster.status().archive(), ArchiveStatus.NONE);
    }

    private String reason() {
        return Conditions.find(cluster.status().conditions(), ConditionTypes.ARCHIVED)
                .map(one -> one.getStatus() + " " + one.getReason())
                .orElse("");
    }

    /** A whole backup of now, in the bucket of the archive or elsewhere. */
    private void backUp(String place) {
        cluster.context.put(
                Serialization.unmarshal("""
                metadata: {name: whole, namespace: default}
                spec: {clusterName: db}
                status:
                  storage: %s
                  file: default/db/whole.sql.gz
                  sha256: any
                  gtid: %s
                  completionTime: '2026-01-01T03:00:00Z'
                  conditions: [{type: Complete, status: 'True'}]
                """.formatted(place, cluster.server(0).dumped()), MySQLBackup.class));
    }

    @Test
    void a_job_follows_the_other_as_long_as_there_is_something_to_archive_and_no_faster() {
        cluster.until(() -> told().lastSegment() > 0);
        assertThat(reason()).isEqualTo("True Archived");
        assertThat(cluster.message(ConditionTypes.ARCHIVED)).contains("no whole MySQLBackup in that bucket yet");
        int before = cluster.made("create db-archive").size();

        cluster.turns(TURNS);

        assertThat(cluster.made("create db-archive").size() - before).isBetween(TURNS / 15, TURNS / 10 + 1);
        assertThat(told().restorableTo()).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(told().restorableFrom()).isNull();
        assertThat(cluster.server(0)
                        .history()
                        .contains(Position.of(Flavor.MARIADB, Objects.requireNonNull(told().position()))))
                .isTrue();
        assertThat(cluster.meters
                        .find("mysqlcluster_archive_interval_seconds")
                        .gauge()
                        .value())
                .isEqualTo(10);
        assertThat(cluster.meters
                        .find("mysqlcluster_archive_lag_seconds")
                        .gauge()
                        .value())
                .isBetween(0.0, 20.0);
    }

    @Test
    void a_failure_is_told_and_tried_again() {
        cluster.node.failJobs(true);
        cluster.until(() -> reason().equals("False Failing"));
        assertThat(cluster.message(ConditionTypes.ARCHIVED)).contains("cannot connect");
        int before = cluster.made("create db-archive").size();
        cluster.turns(TURNS);
        assertThat(cluster.made("create db-archive").size() - before).isBetween(2, TURNS / 10 + 1);

        cluster.node.failJobs(false);
        cluster.until(() -> reason().equals("True Archived"));
        assertThat(told().failedTime()).isNull();
        assertThat(told().message()).isNull();
    }

    @Test
    void a_gap_is_told_until_there_is_a_whole_backup_after_it() {
        cluster.until(() -> told().lastSegment() > 0);
        backUp(PLACE);
        cluster.until(() -> told().restorableFrom() != null);
        assertThat(told().restorableFrom()).isEqualTo("2026-01-01T03:00:00Z");
        assertThat(cluster.message(ConditionTypes.ARCHIVED)).contains("2026-01-01T03:00:00Z");

        cluster.write();
        cluster.node.breakArchive("Gap");
        cluster.until(() -> reason().equals("False Gap"));
        assertThat(cluster.message(ConditionTypes.ARCHIVED)).contains("some are gone", "make a MySQLBackup");
        assertThat(told().restorableFrom()).isNull();
        assertThat(cluster.told("ArchiveBroken")).isEqualTo(1);
        cluster.turns(TURNS);
        assertThat(reason()).isEqualTo("False Gap");
        assertThat(cluster.meters.find("mysqlcluster_archive_broken").gauge().value())
                .isOne();

        cluster.newOperator();
        backUp("{hostPath: /backups}");
        cluster.turns(TURNS);
        assertThat(reason()).as("a backup that is elsewhere").isEqualTo("False Gap");

        backUp(PLACE);
        cluster.until(() -> reason().equals("True Archived"));
        assertThat(told().broken()).isNull();
        assertThat(told().restorableFrom()).isNotNull();
    }

    @Test
    void another_primary_is_archived_instead() {
        cluster.until(() -> told().lastSegment() > 0);
        cluster.node.kill("db-0");
        cluster.until(() -> "db-1".equals(cluster.status().currentPrimary()));
        long before = told().lastSegment();
        cluster.until(() -> told().lastSegment() > before + 1);
        assertThat(reason()).isEqualTo("True Archived");
    }

    @Test
    void nothing_is_left_of_it_where_it_is_not_asked_for_any_more() {
        cluster.until(() -> told().lastSegment() > 0);
        cluster.spec("size: 2\n");
        cluster.settle();
        assertThat(cluster.status().archive()).isNull();
        assertThat(reason()).isEmpty();
        assertThat(cluster.node.jobs()).isEmpty();
    }
}

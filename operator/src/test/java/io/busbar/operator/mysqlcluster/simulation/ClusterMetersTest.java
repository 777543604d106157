package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.sql.Disk;
import io.busbar.operator.mysqlcluster.sql.Load;
import io.micrometer.core.instrument.Gauge;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What Prometheus is told of a cluster. */
class ClusterMetersTest {

    private final SimulatedCluster cluster = SimulatedCluster.running("size: 3\n");

    private double value(String name, String member) {
        Gauge gauge = cluster.meters.find(name).tag("member", member).gauge();
        assertThat(gauge)
                .as("%s of %s in %s", name, member, cluster.meters.getMeters())
                .isNotNull();
        return gauge.value();
    }

    private List<String> members(String name) {
        return cluster.meters.find(name).gauges().stream()
                .map(gauge -> gauge.getId().getTag("member"))
                .sorted()
                .toList();
    }

    @Test
    void each_member_is_shown_as_it_was_seen_last() {
        cluster.server(1).disk = new Disk(1000, 400);
        cluster.server(1).load = new Load(3, 7, 100, 50, 60);
        cluster.node.kill("db-2");
        cluster.turns(2);

        assertThat(value("mysqlcluster_member_up", "db-0")).isOne();
        assertThat(value("mysqlcluster_member_writable", "db-0")).isOne();
        assertThat(value("mysqlcluster_member_lag_seconds", "db-1")).isZero();
        assertThat(value("mysqlcluster_member_disk_bytes", "db-1")).isEqualTo(1000);
        assertThat(value("mysqlcluster_member_disk_free_bytes", "db-1")).isEqualTo(400);
        assertThat(value("mysqlcluster_member_up", "db-2")).isZero();
        assertThat(members("mysqlcluster_member_lag_seconds")).containsExactly("db-1");
        assertThat(value("mysqlcluster_member_connections", "db-1")).isEqualTo(7);
        assertThat(value("mysqlcluster_member_connections_running", "db-1")).isEqualTo(3);
        assertThat(value("mysqlcluster_member_connections_limit", "db-1")).isEqualTo(100);
        assertThat(cluster.meters
                        .find("mysqlcluster_member_queries")
                        .tag("member", "db-1")
                        .functionCounter()
                        .count())
                .isEqualTo(50);
        assertThat(members("mysqlcluster_member_connections")).containsExactly("db-0", "db-1");
        assertThat(cluster.meters
                        .find("mysqlcluster_passwords_timestamp_seconds")
                        .gauge()
                        .value())
                .isPositive();
        Gauge ready = cluster.meters.find("mysqlcluster_members_ready").gauge();
        assertThat(ready.value()).isEqualTo(2);
        assertThat(ready.getId().getTags()).extracting(Object::toString).hasSize(2);
    }

    @Test
    void when_the_first_certificate_expires_is_shown_where_there_are_some() {
        cluster.turns(1);
        assertThat(cluster.meters
                        .find("mysqlcluster_certificate_expiry_timestamp_seconds")
                        .gauge())
                .isNull();

        SimulatedCluster encrypted = SimulatedCluster.running("size: 2\ntls: {mode: Preferred}\n");
        encrypted.turns(2);

        Gauge expiry = encrypted
                .meters
                .find("mysqlcluster_certificate_expiry_timestamp_seconds")
                .gauge();
        assertThat(expiry.value())
                .isEqualTo((double) Instant.parse("2027-01-01T00:00:00Z").getEpochSecond());
    }

    @Test
    void a_member_that_goes_is_shown_no_more() {
        cluster.turns(1);
        assertThat(members("mysqlcluster_member_up")).containsExactly("db-0", "db-1", "db-2");

        cluster.spec("size: 2\n");
        cluster.settle();

        assertThat(members("mysqlcluster_member_up")).containsExactly("db-0", "db-1");
    }

    @Test
    void what_nobody_has_looked_at_for_a_minute_has_no_value() {
        cluster.turns(1);

        cluster.context.advance(Duration.ofMinutes(1));

        assertThat(value("mysqlcluster_member_up", "db-0")).isNaN();
    }
}

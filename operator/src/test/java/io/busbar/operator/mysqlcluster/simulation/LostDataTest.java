package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A primary that comes back with less than it had is not opened: the others would be given copies of what is left. */
class LostDataTest {

    private static final String DELAY = "size: 3\nfailover: {delaySeconds: 5}\n";
    private static final String WAITS = "size: 3\nfailover: {enabled: false}\n";

    /** Before anybody else would have taken over. */
    private static void comesBackWithNothing(SimulatedCluster cluster) {
        cluster.node.kill("db-0", Duration.ofSeconds(2));
        cluster.server(0).lose();
    }

    @Test
    void another_takes_over_from_a_primary_that_has_nothing_any_more() {
        SimulatedCluster cluster = SimulatedCluster.running(DELAY + "replication: {semiSync: true}\n");
        comesBackWithNothing(cluster);

        cluster.turns(15);
        cluster.settle();

        assertThat(cluster.status().currentPrimary()).isNotEqualTo("db-0");
        assertThat(cluster.told("PrimaryLacksData")).isEqualTo(1);
        assertThat(cluster.made("create db-clone")).containsExactly("create db-clone-0 #1");
        Whole.check(cluster);
    }

    @Test
    void replicas_tell_what_a_primary_had_before_it_was_written_down() {
        SimulatedCluster cluster = new SimulatedCluster(WAITS);
        cluster.until(() -> cluster.status().currentPrimary() != null);
        cluster.pass();
        assertThat(cluster.server(1).rows).isNotEmpty();
        assertThat(cluster.status().members().get(0).gtid()).isNull();
        comesBackWithNothing(cluster);
        cluster.turns(5);
        assertThat(cluster.writable()).isEmpty();
        cluster.node.kill("db-1");
        cluster.node.kill("db-2");
        cluster.newOperator();

        cluster.turns(5);

        assertThat(cluster.writable()).isEmpty();
        assertThat(cluster.told("PrimaryLacksData")).isEqualTo(1);
    }

    @Test
    void another_takes_over_from_a_primary_whose_volume_is_an_older_one() {
        SimulatedCluster cluster = SimulatedCluster.running(DELAY);
        String position = cluster.server(0).history().text();
        Set<Transaction> rows = Set.copyOf(cluster.server(0).rows);
        cluster.turns(40);
        comesBackWithNothing(cluster);
        cluster.server(0).seed(position);
        cluster.server(0).rows.addAll(rows);

        cluster.turns(15);
        cluster.settle();

        assertThat(cluster.status().currentPrimary()).isNotEqualTo("db-0");
        Whole.check(cluster);
    }

    @Test
    void it_waits_and_says_what_helps_where_nobody_is_to_take_over() {
        SimulatedCluster cluster = SimulatedCluster.running(WAITS);
        Set<Transaction> before = Set.copyOf(cluster.server(1).rows);
        comesBackWithNothing(cluster);

        cluster.turns(50);

        assertThat(cluster.writable()).isEmpty();
        assertThat(cluster.made("erase")).isEmpty();
        assertThat(cluster.server(1).rows).containsAll(before);
        assertThat(cluster.message(ConditionTypes.PRIMARY_READY))
                .startsWith("db-0 does not have ")
                .contains("MySQLRestore", "database.example.com/accept-position=nothing");
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("FailoverDisabled");
        assertThat(cluster.told("PrimaryLacksData")).isEqualTo(1);
        cluster.newOperator();
        cluster.turns(5);
        assertThat(cluster.writable()).isEmpty();
    }

    @Test
    void it_goes_on_with_what_is_left_when_that_is_accepted() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 1\n");
        comesBackWithNothing(cluster);
        cluster.turns(10);
        assertThat(cluster.writable()).isEmpty();

        cluster.annotate("database.example.com/accept-position", "nothing");
        cluster.settle();

        assertThat(cluster.writable()).containsExactly("db-0");
        // Of no account for a later loss.
        cluster.turns(40);
        comesBackWithNothing(cluster);
        cluster.server(0).seed("0-100-1");
        cluster.turns(10);
        assertThat(cluster.writable()).isEmpty();
    }

    @Test
    void a_backup_puts_it_right() {
        SimulatedCluster cluster = SimulatedCluster.running(WAITS);
        comesBackWithNothing(cluster);
        cluster.turns(10);
        assertThat(cluster.writable()).isEmpty();

        cluster.restore(cluster.server(1));
        cluster.settle();
        assertThat(cluster.writable()).containsExactly("db-0");
        Whole.check(cluster);

        cluster.node.kill("db-0", Duration.ofSeconds(2));
        cluster.turns(5);
        cluster.settle();
        assertThat(cluster.told("PrimaryLacksData")).isEqualTo(1);
        Whole.check(cluster);
    }

    @Test
    void a_primary_that_only_restarts_is_opened() {
        SimulatedCluster cluster = SimulatedCluster.running(WAITS);
        cluster.turns(40);
        cluster.node.kill("db-0", Duration.ofSeconds(2));

        cluster.turns(5);
        cluster.settle();

        assertThat(cluster.writable()).containsExactly("db-0");
        assertThat(cluster.told("PrimaryLacksData")).isZero();
        Whole.check(cluster);
    }

    @Test
    void nobody_is_chosen_of_two_that_each_have_what_the_other_one_lacks() {
        SimulatedCluster cluster = SimulatedCluster.running(DELAY);
        cluster.server(2).deaf = true;
        cluster.turns(3);
        cluster.node.kill("db-0");
        // Of a server that was the primary once, and is gone: it reached this one alone.
        SimulatedServer second = cluster.server(2);
        Link link = Objects.requireNonNull(second.link);
        link.relayed.add(new Transaction(108, second.history().transactions() + 1));

        cluster.turns(20);

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
        assertThat(cluster.message(ConditionTypes.DEGRADED)).contains("only db-1 has ", "only db-2 has 0-108-");
    }
}

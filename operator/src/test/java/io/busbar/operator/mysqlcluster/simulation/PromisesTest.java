package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What counts as broken where a member is erased. */
class PromisesTest {

    private final SimulatedCluster cluster = SimulatedCluster.running("size: 3\nreplication: {semiSync: true}\n");
    private final Promises promises = new Promises(cluster);
    private final SimulatedServer primary = cluster.server(0);
    private final SimulatedServer behind = cluster.server(1);

    /** All replicas have what is promised; the primary has more, which nobody was told of. */
    PromisesTest() {
        cluster.server(1).stopReceiving();
        cluster.server(2).stopReceiving();
        cluster.servers.write(primary);
    }

    @Test
    void one_that_can_go_on_from_where_it_is_must_not_be_erased() {
        promises.destroyed();

        behind.erase();

        assertThat(promises.broken()).contains("taken from db-1, which was to be left as it was");
    }

    @Test
    void one_that_lacks_what_the_log_of_the_primary_does_not_have_may_be_given_a_copy() {
        primary.seed(primary.history().text());
        cluster.servers.write(primary);
        promises.destroyed();

        behind.erase();

        assertThat(promises.broken()).isNull();
    }

    @Test
    void one_that_has_all_that_the_log_of_the_primary_begins_with_must_not_be_erased() {
        primary.seed(primary.history().text());
        behind.rows.addAll(primary.rows);
        cluster.servers.write(primary);
        promises.destroyed();

        behind.erase();

        assertThat(promises.broken()).contains("taken from db-1, which was to be left as it was");
    }

    @Test
    void one_that_lacks_what_was_promised_may_be_given_a_copy_also_after_the_primary_has_lost_its_volume() {
        Objects.requireNonNull(cluster.server(2).link).start();
        cluster.servers.replicate(cluster.server(2));
        cluster.node.kill(primary.pod);
        primary.lose();
        promises.destroyed();

        behind.erase();

        assertThat(promises.broken()).isNull();
    }

    @Test
    void one_that_has_all_that_was_promised_must_not_be_erased_after_the_primary_has_lost_its_volume() {
        cluster.node.kill(primary.pod);
        primary.lose();
        promises.destroyed();

        behind.erase();

        assertThat(promises.broken()).contains("taken from db-1, which was to be left as it was");
    }
}

package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A MySQLRestore that is deleted and made again under its name is another one: nothing of the first one answers for it. */
class RestoredAnewTest {

    private final SimulatedCluster cluster = SimulatedCluster.running("size: 2\n");

    private Optional<Job> job(String name) {
        return cluster.context.get(Job.class, name);
    }

    private String phase() {
        return cluster.context
                .get(MySQLRestore.class, "again")
                .map(restore -> String.valueOf(restore.told().phase()))
                .orElse("");
    }

    @Test
    void after_a_load_that_failed_it_begins_anew() {
        cluster.restore();
        cluster.until(() -> job("again-load").isPresent());
        cluster.node.failJobs(true);
        cluster.until(() -> phase().equals("Failed"));
        cluster.node.failJobs(false);
        cluster.turns(5);
        assertThat(cluster.writable())
                .as("half of a backup is nothing to work with")
                .isEmpty();

        cluster.restoreAnew();
        cluster.until(() -> phase().equals("Complete"));
        cluster.settle();

        assertThat(cluster.writable()).containsExactly("db-0");
        Whole.check(cluster);
    }

    @Test
    void after_a_file_that_was_refused_it_is_read_again() {
        cluster.node.failJobs(true);
        cluster.restore();
        cluster.until(() -> phase().equals("Failed"));
        cluster.node.failJobs(false);

        cluster.restoreAnew();
        cluster.until(() -> phase().equals("Complete"));
    }

    @Test
    void while_the_first_one_loads_its_job_does_not_count_for_the_second() {
        cluster.restore();
        cluster.until(() -> job("again-load").isPresent());
        cluster.node.holdJobs(true);
        String first = job("again-load").orElseThrow().getMetadata().getUid();

        cluster.restoreAnew();
        cluster.turns(5);
        assertThat(phase()).as("its file is not read yet").isEqualTo("Pending");
        cluster.node.holdJobs(false);
        cluster.until(() -> job("again-load")
                .filter(second -> !second.getMetadata().getUid().equals(first))
                .isPresent());
        cluster.settle();

        assertThat(phase()).isEqualTo("Complete");
        Whole.check(cluster);
    }
}

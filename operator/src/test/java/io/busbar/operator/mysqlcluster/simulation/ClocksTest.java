package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators, the API server and kubelets each have a clock, which may be wrong, and be set at any time. */
class ClocksTest {

    private static final String THREE = "size: 3\nfailover: {delaySeconds: 10}\n";
    private static final String CHANGED = "image: mariadb:11\n";

    private final SimulatedCluster cluster = SimulatedCluster.running(THREE);
    private final SimulatedOperator first = new SimulatedOperator("first", cluster, cluster::write);
    private final SimulatedOperator next = new SimulatedOperator("next", cluster, cluster::write);

    ClocksTest() {
        first.leads = true;
    }

    @AfterEach
    void end() {
        first.close();
        next.close();
    }

    private void turns(SimulatedOperator leader, int count) {
        for (int i = 0; i < count; i++) {
            leader.turn();
            cluster.servers.roads.pass();
            cluster.pass();
        }
    }

    private void handOverLeadership() {
        first.leads = false;
        next.leads = true;
        next.restart();
    }

    private List<String> reasons() {
        return cluster.status().conditions().stream().map(Condition::getReason).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {-120, 120})
    void a_primary_is_given_its_time_whoever_began_to_count(int seconds) {
        first.ahead = Duration.ofSeconds(seconds);
        cluster.node.kill("db-0");
        turns(first, 2);
        handOverLeadership();

        turns(next, 10);
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
        turns(next, 2);

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-1");
    }

    @ParameterizedTest
    @ValueSource(ints = {-120, 120})
    void a_primary_is_given_its_time_when_the_clock_is_set_meanwhile(int seconds) {
        cluster.node.kill("db-0");
        turns(first, 3);
        first.ahead = Duration.ofSeconds(seconds);

        turns(first, 7);
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
        turns(first, 2);

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-1");
    }

    @ParameterizedTest
    @ValueSource(ints = {-3600, 0, 3600})
    void a_canary_is_watched_for_as_long_as_is_asked_for(int seconds) {
        first.ahead = Duration.ofSeconds(seconds);
        cluster.spec(
                THREE + CHANGED + "updateStrategy: {canary: {replicas: 1, pauseSeconds: 30, autoPromote: true}}\n");

        turns(first, 25);
        assertThat(cluster.status().updatedReplicas()).isEqualTo(1);
        turns(first, 60);

        assertThat(cluster.status().updatedReplicas()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {-3600, 0, 3600})
    void a_member_that_does_not_get_well_is_told_of_when_it_had_its_time(int seconds) {
        first.ahead = Duration.ofSeconds(seconds);
        String old = cluster.pod(2).getMetadata().getUid();
        cluster.spec(THREE + CHANGED);
        for (int i = 0; i < 20 && cluster.pod(2).getMetadata().getUid().equals(old); i++) {
            turns(first, 1);
        }
        cluster.node.kill("db-2");

        turns(first, 290);
        assertThat(reasons()).doesNotContain("RolloutStalled");
        turns(first, 20);

        assertThat(reasons()).contains("RolloutStalled");
    }

    @ParameterizedTest
    @ValueSource(ints = {-3600, 3600})
    void of_an_old_primary_the_Pod_is_deleted_that_there_was_whoever_does_it(int seconds) {
        first.ahead = Duration.ofSeconds(seconds);
        first.pauseAt("makeReadOnly db-0", false);
        cluster.node.kill("db-0", Duration.ofSeconds(14));
        for (int i = 0; i < 20 && !first.isPaused(); i++) {
            turns(first, 1);
        }
        assertThat(first.isPaused()).isTrue();
        String old = cluster.pod(0).getMetadata().getUid();
        handOverLeadership();

        next.turn();
        assertThat(next.calls.made()).anyMatch(call -> call.startsWith("delete db-0"));
        turns(next, 3);
        assertThat(cluster.pod(0).getMetadata().getUid()).isNotEqualTo(old);
    }

    @Test
    void of_an_old_primary_a_Pod_that_was_made_anew_is_left_alone() {
        first.ahead = Duration.ofHours(1);
        first.pauseAt("makeReadOnly db-0", false);
        cluster.node.kill("db-0", Duration.ofSeconds(14));
        for (int i = 0; i < 20 && !first.isPaused(); i++) {
            turns(first, 1);
        }
        cluster.node.deletePod("db-0");
        cluster.pass();
        handOverLeadership();

        turns(next, 3);

        assertThat(next.calls.made()).noneMatch(call -> call.startsWith("delete db-0"));
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-1");
    }
}

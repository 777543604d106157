package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The exporter has an account of its own, on each server, for as long as it is asked for. */
class ExporterAccountTest {

    private static final String USER = "busbar_exporter";
    private static final String THREE = "size: 3\nfailover: {delaySeconds: 2}\n";
    private static final String WITH = THREE + "metrics: {exporter: {}}\n";
    private static final String ROTATE = "database.example.com/rotate-passwords";

    /** All of them. */
    private static void isLetIn(SimulatedCluster cluster) {
        String password = cluster.password("exporter-password");
        for (int ordinal = 0; ordinal < cluster.status().replicas(); ordinal++) {
            assertThat(cluster.server(ordinal).passwords.get(USER))
                    .as("at db-%s: %s", ordinal, cluster)
                    .isEqualTo(Set.of(password));
        }
        assertThat(file(cluster, "exporter.cnf")).isEqualTo("[client]\nuser=" + USER + "\npassword=" + password + "\n");
        assertThat(file(cluster, "exporter-tls.cnf")).startsWith(file(cluster, "exporter.cnf") + "ssl-ca=");
    }

    private static String file(SimulatedCluster cluster, String key) {
        Secret secret = cluster.context.get(Secret.class, "db-auth").orElseThrow();
        return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
    }

    private static void isUnknown(SimulatedCluster cluster) {
        for (int ordinal = 0; ordinal < cluster.status().replicas(); ordinal++) {
            assertThat(cluster.server(ordinal).passwords)
                    .as("at db-%s: %s", ordinal, cluster)
                    .doesNotContainKey(USER);
        }
    }

    @Test
    void there_is_none_unless_it_is_asked_for() {
        SimulatedCluster cluster = SimulatedCluster.running(THREE);

        isUnknown(cluster);
        assertThat(cluster.context.get(Secret.class, "db-auth").orElseThrow().getData())
                .doesNotContainKeys("exporter-password", "exporter.cnf");
    }

    @Test
    void a_new_cluster_has_one_and_so_has_a_member_that_comes_later() {
        SimulatedCluster cluster = SimulatedCluster.running(WITH);
        isLetIn(cluster);

        cluster.spec("size: 4\nmetrics: {exporter: {}}\n");
        cluster.settle();

        assertThat(cluster.status().readyReplicas()).isEqualTo(4);
        isLetIn(cluster);
        Whole.check(cluster);
    }

    @Test
    void it_comes_and_goes_with_the_option_and_nothing_else_changes() {
        SimulatedCluster cluster = SimulatedCluster.running(THREE);
        cluster.spec(WITH);
        cluster.settle();
        isLetIn(cluster);
        String operator = cluster.password("operator-password");

        cluster.spec(THREE);
        cluster.settle();

        isUnknown(cluster);
        assertThat(cluster.password("operator-password")).isEqualTo(operator);
        assertThat(cluster.servers.denials).as("%s", cluster).isEmpty();
        Whole.check(cluster);
    }

    @Test
    void one_that_somebody_has_dropped_is_made_again_by_the_next_operator() {
        SimulatedCluster cluster = SimulatedCluster.running(WITH);
        cluster.server(1).passwords.remove(USER);
        cluster.newOperator();

        cluster.settle();

        isLetIn(cluster);
    }

    @Test
    void its_password_is_changed_with_the_others_and_lets_in_all_the_while() {
        SimulatedCluster cluster =
                SimulatedCluster.running(WITH + "auth: {rotation: {passwordRetentionSeconds: 30}}\n");
        String old = cluster.password("exporter-password");
        cluster.annotate(ROTATE, "now");
        cluster.until(() -> !cluster.password("exporter-password").equals(old));
        cluster.turns(2);

        for (int ordinal = 0; ordinal < 3; ordinal++) {
            assertThat(cluster.server(ordinal).passwords.get(USER))
                    .as("what the exporter has read, and what it will read")
                    .containsExactlyInAnyOrder(old, cluster.password("exporter-password"));
        }
        assertThat(file(cluster, "exporter.cnf")).contains(cluster.password("exporter-password"));
        cluster.settle();

        isLetIn(cluster);
        assertThat(cluster.password("exporter-password")).isNotEqualTo(old);
        assertThat(cluster.servers.denials).as("%s", cluster).isEmpty();
    }

    @Test
    void it_may_be_asked_for_or_taken_away_at_any_stage_of_a_change_of_passwords() {
        for (int turns = 0; turns < 7; turns++) {
            SimulatedCluster coming =
                    SimulatedCluster.running(THREE + "auth: {rotation: {passwordRetentionSeconds: 3}}\n");
            coming.annotate(ROTATE, "now");
            coming.turns(turns);
            coming.spec(WITH + "auth: {rotation: {passwordRetentionSeconds: 3}}\n");
            coming.settle();
            isLetIn(coming);
            RotationTest.isRotated(coming);

            coming.annotate(ROTATE, "again");
            coming.turns(turns);
            coming.spec(THREE + "auth: {rotation: {passwordRetentionSeconds: 3}}\n");
            coming.settle();
            isUnknown(coming);
            assertThat(coming.reason(ConditionTypes.DEGRADED)).isEmpty();
            Whole.check(coming);
        }
    }

    @Test
    void a_turn_in_which_nothing_has_changed_opens_no_more_sessions_than_it_has_members() {
        SimulatedCluster cluster = SimulatedCluster.running(WITH);
        cluster.turns(2);
        int before = cluster.servers.sessions();

        cluster.turns(10);

        assertThat(cluster.servers.sessions() - before).isEqualTo(30);
    }
}

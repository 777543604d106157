package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Passwords are changed, and nobody who reads the Secret is refused meanwhile. */
class RotationTest {

    static final String WITH_PROGRAMS = "auth: {rotation: {application: true, passwordRetentionSeconds: 3}}\n";

    private static final String THREE = "size: 3\nfailover: {delaySeconds: 2}\n";
    private static final String ROTATE = "database.example.com/rotate-passwords";
    private static final Map<String, String> ACCOUNTS = Map.of(
            "root", "root-password",
            "busbar_operator", "operator-password",
            "busbar_replication", "replication-password",
            "busbar_application", "application-password");

    /** Nobody was refused, and each server lets in with what the Secret has and nothing else. */
    static void isRotated(SimulatedCluster cluster) {
        assertThat(cluster.servers.denials).as("%s", cluster).isEmpty();
        assertThat(cluster.status().rotation()).isNotNull();
        assertThat(cluster.status().rotation().answered()).isEqualTo("now");
        hasPasswordsOfSecret(cluster);
    }

    private static void hasPasswordsOfSecret(SimulatedCluster cluster) {
        for (int ordinal = 0; ordinal < cluster.status().replicas(); ordinal++) {
            SimulatedServer server = cluster.server(ordinal);
            ACCOUNTS.forEach((user, key) -> assertThat(server.passwords.get(user))
                    .as("%s at %s: %s", user, server.pod, cluster)
                    .isEqualTo(Set.of(cluster.password(key))));
            if (server.link != null) {
                assertThat(server.link.password)
                        .as("%s follows with: %s", server.pod, cluster)
                        .isEqualTo(cluster.password("replication-password"));
            }
        }
    }

    private static SimulatedCluster rotating(String spec) {
        SimulatedCluster cluster = SimulatedCluster.running(spec);
        cluster.checkLogins();
        cluster.annotate(ROTATE, "now");
        return cluster;
    }

    private static String reason(SimulatedCluster cluster) {
        return Conditions.find(cluster.status().conditions(), ConditionTypes.PASSWORDS_ROTATED)
                .map(Condition::getReason)
                .orElse("");
    }

    private static List<String> passwords(SimulatedCluster cluster) {
        return ACCOUNTS.values().stream().sorted().map(cluster::password).toList();
    }

    @Test
    void all_that_were_made_up_are_changed_and_nobody_is_refused_meanwhile() {
        SimulatedCluster cluster = rotating(THREE + WITH_PROGRAMS);
        List<String> before = passwords(cluster);

        cluster.settle();

        assertThat(passwords(cluster)).doesNotContainAnyElementsOf(before).doesNotHaveDuplicates();
        isRotated(cluster);
        assertThat(reason(cluster)).isEqualTo("InPlace");
        assertThat(cluster.told("PasswordsRotated")).isEqualTo(1);
        assertThat(cluster.made("reconnect")).containsExactly("reconnect db-1 #1", "reconnect db-2 #1");
        Whole.check(cluster);
    }

    @Test
    void it_does_not_hide_a_rollout_that_goes_on_afterwards() {
        SimulatedCluster cluster = rotating(THREE + WITH_PROGRAMS);
        cluster.spec(THREE + WITH_PROGRAMS + "image: mariadb:11\n");

        cluster.until(() -> {
            boolean isUpdated = cluster.status().updatedReplicas() == 3;
            assertThat(cluster.status().phase())
                    .as("%s", cluster)
                    .matches(phase -> isUpdated || !phase.equals("Running"), "not Running before all are updated");
            return isUpdated;
        });
        cluster.settle();
        isRotated(cluster);
    }

    @Test
    void it_is_done_once_for_each_text() {
        SimulatedCluster cluster = rotating(THREE + WITH_PROGRAMS);
        cluster.settle();
        List<String> after = passwords(cluster);
        cluster.newOperator();

        cluster.turns(5);
        assertThat(passwords(cluster)).isEqualTo(after);
        cluster.annotate(ROTATE, "again");
        cluster.reconcile();
        cluster.settle();

        assertThat(passwords(cluster)).doesNotContainAnyElementsOf(after);
        hasPasswordsOfSecret(cluster);
    }

    @Test
    void a_new_cluster_that_has_the_annotation_is_not_rotated() {
        SimulatedCluster cluster = new SimulatedCluster(THREE);
        cluster.annotate(ROTATE, "now");

        cluster.settle();

        assertThat(cluster.told("PasswordsRotated")).isZero();
        assertThat(cluster.made("reconnect")).isEmpty();
        assertThat(reason(cluster)).isEqualTo("InPlace");
    }

    @Test
    void the_password_of_programs_stays_unless_it_is_named() {
        SimulatedCluster cluster = rotating(THREE + "auth: {rotation: {passwordRetentionSeconds: 0}}\n");
        String programs = cluster.password("application-password");
        String operator = cluster.password("operator-password");

        cluster.settle();

        assertThat(cluster.password("application-password")).isEqualTo(programs);
        assertThat(cluster.password("operator-password")).isNotEqualTo(operator);
        isRotated(cluster);
    }

    @Test
    void the_old_ones_let_in_until_their_time_is_over() {
        SimulatedCluster cluster =
                rotating(THREE + "auth: {rotation: {application: true, passwordRetentionSeconds: 30}}\n");
        String old = cluster.password("application-password");
        cluster.until(() -> reason(cluster).equals("OldPasswordsLetIn"));
        assertThat(cluster.server(0).admits("busbar_application", old)).isTrue();
        assertThat(cluster.password("application-password")).isNotEqualTo(old);

        cluster.settle();

        assertThat(cluster.server(0).admits("busbar_application", old)).isFalse();
        isRotated(cluster);
    }

    @Test
    void it_waits_for_a_member_that_is_away_and_says_so() {
        SimulatedCluster cluster = SimulatedCluster.running(THREE + WITH_PROGRAMS);
        String operator = cluster.password("operator-password");
        cluster.node.kill("db-2");
        cluster.annotate(ROTATE, "now");

        cluster.turns(10);
        assertThat(reason(cluster)).isEqualTo("Rotating");
        assertThat(cluster.message(ConditionTypes.PASSWORDS_ROTATED)).contains("waits for db-2");
        assertThat(cluster.password("operator-password")).isEqualTo(operator);
        cluster.node.bringBack("db-2");
        cluster.settle();

        assertThat(cluster.password("operator-password")).isNotEqualTo(operator);
        isRotated(cluster);
    }

    @Test
    void a_failover_at_any_stage_leaves_all_that_follow_with_a_password_that_lets_them_in() {
        for (int turns = 1; turns < 8; turns++) {
            SimulatedCluster cluster = rotating(THREE + "replication: {semiSync: true}\n" + WITH_PROGRAMS);
            cluster.turns(turns);
            cluster.node.kill("db-0", Duration.ofSeconds(6));

            cluster.settle();

            assertThat(cluster.status().currentPrimary())
                    .as("after %s turns", turns)
                    .isNotEqualTo("db-0");
            isRotated(cluster);
            Whole.check(cluster);
        }
    }

    @Test
    void a_member_that_comes_while_they_are_changed_gets_both() {
        SimulatedCluster cluster = rotating(THREE + WITH_PROGRAMS);
        cluster.turns(3);
        cluster.spec("size: 4\n" + WITH_PROGRAMS);

        cluster.settle();

        assertThat(cluster.status().readyReplicas()).isEqualTo(4);
        hasPasswordsOfSecret(cluster);
        Whole.check(cluster);
    }

    @Test
    void a_member_that_was_scaled_away_meanwhile_is_let_in_again() {
        SimulatedCluster cluster = SimulatedCluster.running(THREE + WITH_PROGRAMS);
        cluster.spec("size: 2\n" + WITH_PROGRAMS);
        cluster.settle();
        cluster.annotate(ROTATE, "once");
        cluster.reconcile();
        cluster.settle();
        cluster.annotate(ROTATE, "twice");
        cluster.reconcile();
        cluster.settle();

        cluster.spec(THREE + WITH_PROGRAMS);
        cluster.settle();

        assertThat(cluster.status().readyReplicas()).isEqualTo(3);
        hasPasswordsOfSecret(cluster);
        Whole.check(cluster);
    }

    @Test
    void a_lost_status_loses_nothing_of_it() {
        SimulatedCluster cluster = rotating(THREE + WITH_PROGRAMS);
        cluster.turns(3);
        cluster.loseStatus();

        cluster.settle();

        isRotated(cluster);
        Whole.check(cluster);
    }

    @Test
    void a_schedule_that_is_due_has_them_changed_and_tells_when_next() {
        String monthly = THREE + "auth: {rotation: {schedule: '0 3 1 * *', passwordRetentionSeconds: 0}}\n";
        SimulatedCluster cluster = SimulatedCluster.running(monthly);
        String operator = cluster.password("operator-password");
        cluster.turns(5);
        assertThat(cluster.password("operator-password")).isEqualTo(operator);

        Secret secret = cluster.context.get(Secret.class, "db-auth").orElseThrow();
        String longAgo =
                cluster.context.clock().instant().minus(Duration.ofDays(40)).toString();
        cluster.context.put(new SecretBuilder(secret)
                .editMetadata()
                .addToAnnotations("database.example.com/passwords-since", longAgo)
                .endMetadata()
                .build());
        cluster.newOperator();
        cluster.reconcile();
        cluster.settle();

        assertThat(cluster.password("operator-password")).isNotEqualTo(operator);
        assertThat(Objects.requireNonNull(cluster.status().rotation()).nextTime())
                .endsWith("-01T03:00:00Z");
        assertThat(cluster.told("PasswordsRotated")).isEqualTo(1);
    }

    @Test
    void roots_own_secret_is_left_alone() {
        SimulatedCluster cluster = new SimulatedCluster(THREE + "rootSecretRef: {name: mine}\n" + WITH_PROGRAMS);
        cluster.context.put(new SecretBuilder()
                .withNewMetadata()
                .withName("mine")
                .withNamespace("default")
                .endMetadata()
                .withData(Map.of("root-password", "cg=="))
                .build());
        cluster.settle();
        String root = cluster.password("root-password");
        cluster.annotate(ROTATE, "now");
        cluster.reconcile();

        cluster.settle();

        assertThat(cluster.password("root-password")).isEqualTo(root);
        assertThat(cluster.told("PasswordsRotated")).isEqualTo(1);
    }
}

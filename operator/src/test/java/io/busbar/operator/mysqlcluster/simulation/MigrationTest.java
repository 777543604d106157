package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.v1alpha1.ExternalPrimaryState;
import io.busbar.operator.mysqlcluster.v1alpha1.ExternalPrimaryStatus;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A new cluster copies a server outside, follows it, and takes over when it is told to. */
class MigrationTest {

    private static final String HOST = "db.example.com";
    private static final String FROM = "failover: {delaySeconds: 2}\nbootstrapFrom: {externalPrimary: {host: " + HOST
            + ", credentialsSecretRef: {name: mover}}}\n";
    private static final String CUT_OVER = "database.example.com/cut-over";
    private static final Endpoint OUTSIDE = new Endpoint(HOST, ClusterNames.PORT);

    private static SimulatedCluster beside(String spec) {
        SimulatedCluster cluster = new SimulatedCluster(spec + FROM);
        SimulatedServer outside = cluster.servers.add(HOST, OUTSIDE, 7);
        outside.up = true;
        outside.readOnly = false;
        passwords(cluster, "secret", "secret");
        for (int i = 0; i < 3; i++) {
            outside.write();
        }
        return cluster;
    }

    /** What the Secret says, and what the server outside knows. */
    private static void passwords(SimulatedCluster cluster, String said, String known) {
        cluster.context.put(new SecretBuilder()
                .withNewMetadata()
                .withName("mover")
                .withNamespace("default")
                .endMetadata()
                .addToData("username", Base64.getEncoder().encodeToString("mover".getBytes(StandardCharsets.UTF_8)))
                .addToData("password", Base64.getEncoder().encodeToString(said.getBytes(StandardCharsets.UTF_8)))
                .build());
        outside(cluster).passwords.put("mover", Set.of(known));
        outside(cluster).passwords.put(ClusterNames.REPLICATION, Set.of(known));
    }

    private static SimulatedServer outside(SimulatedCluster cluster) {
        return cluster.servers.of(HOST);
    }

    private static SimulatedCluster following(String spec) {
        SimulatedCluster cluster = beside(spec);
        cluster.until(() -> isFollowing(cluster));
        return cluster;
    }

    /** All members have what is outside, through the primary. */
    private static boolean isFollowing(SimulatedCluster cluster) {
        int size = cluster.cluster().wanted().size();
        return told(cluster).filter(ExternalPrimaryState.Following::equals).isPresent()
                && cluster.status().readyReplicas() == size
                && Stream.iterate(0, i -> i + 1)
                        .limit(size)
                        .allMatch(i -> cluster.server(i).rows.equals(outside(cluster).rows));
    }

    private static Optional<ExternalPrimaryState> told(SimulatedCluster cluster) {
        return Optional.ofNullable(cluster.status().externalPrimary()).map(ExternalPrimaryStatus::state);
    }

    private static void takeOver(SimulatedCluster cluster) {
        outside(cluster).readOnly = true;
        cluster.annotate(CUT_OVER, "true");
        cluster.settle();
        assertThat(told(cluster)).contains(ExternalPrimaryState.CutOver);
        assertThat(cluster.server(0).rows).containsAll(outside(cluster).rows);
        Whole.check(cluster);
    }

    @Test
    void it_follows_until_it_is_told_to_take_over_and_the_server_outside_takes_no_writes() {
        SimulatedCluster cluster = following("size: 3\nreplication: {semiSync: true}\n");
        outside(cluster).write();
        cluster.turns(3);

        assertThat(isFollowing(cluster)).as("%s", cluster).isTrue();
        assertThat(cluster.writable()).containsExactly(HOST);
        assertThat(cluster.labelled()).isEmpty();
        assertThat(List.of(cluster.role(0), cluster.role(1), cluster.role(2)))
                .containsExactly("", "replica", "replica");
        assertThat(cluster.reason(ConditionTypes.MIGRATING)).isEqualTo("Following");
        assertThat(cluster.message(ConditionTypes.MIGRATING)).contains(CUT_OVER + "=true");
        assertThat(cluster.status().phase()).isEqualTo("Migrating");

        cluster.annotate(CUT_OVER, "true");
        cluster.turns(5);
        assertThat(cluster.reason(ConditionTypes.MIGRATING)).isEqualTo("CutOverWaits");
        assertThat(cluster.message(ConditionTypes.MIGRATING)).contains("takes writes still", "read_only = ON");
        assertThat(cluster.writable()).containsExactly(HOST);

        takeOver(cluster);
        assertThat(cluster.told("CutOver")).isEqualTo(1);
        cluster.annotate(CUT_OVER, "");
        cluster.newOperator();
        cluster.turns(5);
        Whole.check(cluster);
    }

    @Test
    void it_does_not_take_over_before_all_is_applied_whoever_asks() {
        SimulatedCluster cluster = following("size: 1\n");
        cluster.server(0).holdsBack = true;
        outside(cluster).write();
        outside(cluster).readOnly = true;
        cluster.annotate(CUT_OVER, "force");
        cluster.turns(5);

        assertThat(cluster.message(ConditionTypes.MIGRATING)).contains("has not applied all that");
        cluster.server(0).holdsBack = false;
        takeOver(cluster);
    }

    @Test
    void without_an_answer_it_takes_over_by_force_alone() {
        SimulatedCluster cluster = following("size: 2\n");
        outside(cluster).up = false;
        cluster.turns(5);
        assertThat(cluster.reason(ConditionTypes.MIGRATING)).isEqualTo("Disconnected");
        assertThat(told(cluster)).contains(ExternalPrimaryState.Disconnected);

        cluster.annotate(CUT_OVER, "true");
        cluster.turns(3);
        assertThat(cluster.message(ConditionTypes.MIGRATING)).contains("it is not known what", "\"force\"");
        cluster.annotate(CUT_OVER, "now");
        cluster.turns(3);
        assertThat(cluster.message(ConditionTypes.MIGRATING)).contains("must be \"true\" or \"force\", not \"now\"");
        assertThat(cluster.writable()).isEmpty();

        cluster.annotate(CUT_OVER, "force");
        cluster.settle();
        Whole.check(cluster);
    }

    @Test
    void another_member_goes_on_from_outside_when_the_primary_is_away() {
        SimulatedCluster cluster = following("size: 3\nreplication: {semiSync: true}\n");
        cluster.node.kill("db-0", Duration.ofSeconds(8));
        cluster.until(() -> !"db-0".equals(cluster.status().currentPrimary()));
        outside(cluster).write();
        cluster.until(() -> isFollowing(cluster));

        String next = String.valueOf(cluster.status().currentPrimary());
        assertThat(cluster.servers.of(next).link)
                .extracting(link -> link.source)
                .isEqualTo(OUTSIDE);
        assertThat(cluster.server(0).link).extracting(link -> link.source).isNotEqualTo(OUTSIDE);
        assertThat(cluster.writable()).containsExactly(HOST);
        assertThat(cluster.told("MemberDiverged")).isZero();
        assertThat(cluster.made("erase")).hasSize(1);
        takeOver(cluster);
    }

    @Test
    void a_password_that_is_wrong_is_told_with_its_secret_and_a_new_one_is_taken() {
        SimulatedCluster cluster = beside("size: 1\n");
        passwords(cluster, "wrong", "secret");
        cluster.turns(8);
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("ExternalPrimaryRefused");
        assertThat(cluster.message(ConditionTypes.DEGRADED)).contains("Secret mover is not let in");
        assertThat(cluster.made("erase")).isEmpty();

        passwords(cluster, "secret", "secret");
        cluster.until(() -> isFollowing(cluster));
        outside(cluster).passwords.put(ClusterNames.REPLICATION, Set.of("new"));
        cluster.server(0).loseSource();
        cluster.turns(3);
        assertThat(cluster.reason(ConditionTypes.MIGRATING)).isEqualTo("Disconnected");
        passwords(cluster, "new", "new");
        cluster.until(() -> isFollowing(cluster));
    }

    @Test
    void one_whose_transactions_a_member_would_pass_over_is_refused() {
        SimulatedCluster cluster = new SimulatedCluster("size: 2\n" + FROM);
        cluster.servers.add(HOST, OUTSIDE, 101).up = true;
        passwords(cluster, "secret", "secret");
        cluster.turns(8);

        assertThat(cluster.message(ConditionTypes.DEGRADED)).contains("server_id 101, which a member");
        assertThat(cluster.made("erase")).isEmpty();
    }

    @Test
    void one_that_has_taken_over_never_follows_again_though_nothing_tells_of_that() {
        SimulatedCluster cluster = following("size: 2\n");
        takeOver(cluster);
        cluster.turns(3);
        Set<Transaction> kept = Set.copyOf(cluster.servers.acknowledged());
        cluster.forgetAnnotations();
        cluster.loseStatus();
        cluster.turns(10);

        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("ExternalPrimaryRefused");
        assertThat(cluster.message(ConditionTypes.DEGRADED)).contains(CUT_OVER + "=force");
        assertThat(cluster.server(0).link).isNull();
        assertThat(cluster.server(0).rows).containsAll(kept);

        cluster.annotate(CUT_OVER, "force");
        cluster.settle();
        Whole.check(cluster);
    }

    /** Until it has taken over. */
    @TestFactory
    Stream<DynamicTest> it_survives_that_the_operator_ends_at_any_call() {
        SimulatedCluster undisturbed = following("size: 2\n");
        takeOver(undisturbed);
        return undisturbed.calls.made().stream()
                .map(call -> DynamicTest.dynamicTest(call, () -> {
                    SimulatedCluster cluster = beside("size: 2\n");
                    cluster.calls.breakAt(call, Calls.Fault.CRASH);
                    cluster.until(() -> isFollowing(cluster));
                    takeOver(cluster);
                    assertThat(cluster.server(1).link)
                            .extracting(link -> link.io)
                            .isEqualTo(Replication.Io.YES);
                }));
    }
}

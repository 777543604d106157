package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.Application;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs have an account of their own, on each server. */
class ApplicationAccountTest {

    private static final String OWN = "size: 3\nauth: {applicationSecretRef: {name: mine}, database: orders}\n";

    private static String text(Secret secret, String key) {
        return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
    }

    private static Secret generated(SimulatedCluster cluster) {
        return cluster.context.get(Secret.class, "db-auth").orElseThrow();
    }

    private static void putSecret(SimulatedCluster cluster, String name, Map<String, String> texts) {
        Map<String, String> data = new TreeMap<>();
        texts.forEach((key, text) ->
                data.put(key, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))));
        Secret before = cluster.context
                .get(Secret.class, name)
                .orElseGet(() -> new SecretBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace("default")
                        .endMetadata()
                        .build());
        cluster.context.put(new SecretBuilder(before).withData(data).build());
    }

    private static void allHave(SimulatedCluster cluster, Application application) {
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            assertThat(cluster.server(ordinal).application)
                    .as("of db-%s: %s", ordinal, cluster)
                    .isEqualTo(application);
        }
    }

    @Test
    void one_is_made_up_with_a_database() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 3\n");

        Secret secret = generated(cluster);
        assertThat(text(secret, "application-username")).isEqualTo("busbar_application");
        String password = text(secret, "application-password");
        assertThat(password).hasSizeGreaterThan(20).isNotEqualTo(text(secret, "root-password"));
        allHave(cluster, new Application(new Account("busbar_application", password), "app"));
        assertThat(cluster.server(0).databases).containsExactly("app");
    }

    @Test
    void a_secret_that_an_earlier_operator_made_is_completed_and_nothing_in_it_changes() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 3\n");
        putSecret(
                cluster,
                "db-auth",
                Map.of("root-password", "r", "operator-password", "o", "replication-password", "s"));
        cluster.newOperator();

        cluster.settle();

        Secret secret = generated(cluster);
        assertThat(text(secret, "root-password")).isEqualTo("r");
        assertThat(text(secret, "operator-password")).isEqualTo("o");
        assertThat(text(secret, "replication-password")).isEqualTo("s");
        String user = text(secret, "application-username");
        allHave(cluster, new Application(new Account(user, text(secret, "application-password")), "app"));
    }

    @Test
    void a_turn_in_which_nothing_has_changed_opens_no_more_sessions_than_it_has_members() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 3\n");
        cluster.turns(2);
        int before = cluster.servers.sessions();

        cluster.turns(10);

        assertThat(cluster.servers.sessions() - before).isEqualTo(30);
    }

    @Test
    void another_password_is_passed_on_within_a_minute_or_so() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 3\n");
        Map<String, String> texts = new TreeMap<>();
        generated(cluster).getData().keySet().forEach(key -> texts.put(key, text(generated(cluster), key)));
        texts.put("application-password", "another");
        putSecret(cluster, "db-auth", texts);

        cluster.turns(65);

        allHave(cluster, new Application(new Account("busbar_application", "another"), "app"));
    }

    @Test
    void without_the_users_own_secret_the_cluster_is_kept_and_says_what_it_needs() {
        SimulatedCluster cluster = new SimulatedCluster(OWN + "failover: {delaySeconds: 2}\n");
        cluster.turns(10);

        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("MissingApplicationAccount");
        assertThat(cluster.message(ConditionTypes.DEGRADED)).contains("Secret mine ", "keys username", "password");
        assertThat(cluster.told("MissingApplicationAccount")).isEqualTo(1);
        assertThat(cluster.writable()).containsExactly("db-0");
        cluster.node.kill("db-0");
        cluster.turns(20);
        assertThat(cluster.status().currentPrimary()).isNotEqualTo("db-0");
        cluster.node.bringBack("db-0");

        putSecret(cluster, "mine", Map.of("username", "shop", "password", "secret"));
        cluster.settle();

        allHave(cluster, new Application(new Account("shop", "secret"), "orders"));
        String primary = Objects.requireNonNull(cluster.status().currentPrimary());
        assertThat(cluster.servers.of(primary).databases).containsExactly("orders");
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEmpty();
    }

    @Test
    void a_replica_that_lags_knows_it_before_rights_of_it_arrive() {
        SimulatedCluster cluster = new SimulatedCluster(OWN);
        cluster.turns(10);
        cluster.server(2).lag = Duration.ofHours(1);
        cluster.turns(2);

        putSecret(cluster, "mine", Map.of("username", "shop", "password", "secret"));
        cluster.turns(65);

        assertThat(cluster.status().readyReplicas()).as("%s", cluster).isLessThan(3);
        allHave(cluster, new Application(new Account("shop", "secret"), "orders"));
    }

    @Test
    void one_that_was_away_knows_it_before_it_follows() {
        SimulatedCluster cluster = new SimulatedCluster(OWN);
        cluster.turns(10);
        cluster.node.kill("db-2");
        putSecret(cluster, "mine", Map.of("username", "shop", "password", "secret"));
        cluster.turns(65);
        int before = cluster.calls.made().size();

        cluster.node.bringBack("db-2");
        cluster.settle();

        List<String> since = cluster.calls.made();
        assertThat(since.subList(before, since.size()).stream()
                        .filter(call -> call.matches("(createAccounts|follow) db-2.*"))
                        .map(call -> call.split(" ", -1)[0]))
                .startsWith("createAccounts", "follow");
    }

    @ParameterizedTest
    @ValueSource(strings = {"root", "ROOT", "busbar_operator", "busbar_replication", "mysql.sys", "mariadb.sys"})
    void accounts_of_the_server_and_of_the_operator_are_left_alone(String user) {
        SimulatedCluster cluster = new SimulatedCluster(OWN);
        putSecret(cluster, "mine", Map.of("username", user, "password", "secret"));

        cluster.turns(10);

        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("MissingApplicationAccount");
        assertThat(cluster.server(0).application).isNull();
    }
}

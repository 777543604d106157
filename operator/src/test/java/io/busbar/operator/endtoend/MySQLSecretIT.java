package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** Passwords that are wrong, missing, or the user's own. */
@WithDatabases(alone = true)
class MySQLSecretIT {

    private final Cluster cluster;
    private final Databases databases;

    MySQLSecretIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    @Test
    void says_that_the_password_is_wrong_and_goes_on_when_it_is_right_again() {
        databases.create("locked", "size: 1");
        databases.running("locked", 1);
        Secret right = cluster.get(Secret.class, "locked-auth");
        String wrong = Base64.getEncoder().encodeToString("wrong".getBytes(StandardCharsets.UTF_8));

        cluster.running().stopOperator();
        cluster.patch(
                right, "{\"data\":{\"root-password\":\"" + wrong + "\",\"operator-password\":\"" + wrong + "\"}}");
        cluster.running().startOperator();
        databases.eventually(
                () -> assertThat(databases.condition("locked", "Degraded")).isEqualTo("True AccessDenied"));
        assertThat(databases.message("locked", "Degraded"))
                .contains("Secret locked-auth")
                .doesNotContain("wrong");
        databases.eventually(() -> assertThat(databases.events("locked")).contains("AccessDenied"));

        cluster.patch(
                right,
                "{\"data\":{\"root-password\":\"" + right.getData().get("root-password") + "\",\"operator-password\":\""
                        + right.getData().get("operator-password") + "\"}}");
        databases.running("locked", 1);
    }

    @Test
    void completes_a_secret_that_knows_no_account_for_programs_and_lets_them_in() {
        databases.create("older", "size: 1");
        databases.running("older", 1);
        String root = databases.password("older", "root-password");
        cluster.running().stopOperator();
        cluster.patch(
                cluster.get(Secret.class, "older-auth"),
                "{\"data\":{\"application-username\":null,\"application-password\":null}}");
        cluster.running().startOperator();

        databases.eventually(() -> {
            try (SqlClient program = SqlClient.connect(
                    databases.vertx(),
                    databases.address("older-0"),
                    databases.password("older", "application-username"),
                    databases.password("older", "application-password"))) {
                assertThat(program.query("SHOW DATABASES")).contains("app");
            }
        });
        assertThat(databases.password("older", "root-password")).isEqualTo(root);
    }

    @Test
    void waits_for_the_users_own_secret() {
        databases.create(
                "own", "size: 1, rootSecretRef: {name: my-root}, auth: {applicationSecretRef: {name: my-shop}}");
        databases.eventually(
                () -> assertThat(databases.condition("own", "Degraded")).isEqualTo("True MissingPassword"));
        databases.eventually(() -> assertThat(databases.events("own")).contains("MissingPassword"));
        cluster.create(Secret.class, """
                apiVersion: v1
                kind: Secret
                metadata: {name: my-root, namespace: %s}
                stringData: {root-password: mine}
                """.formatted(cluster.namespace()));
        cluster.create(Secret.class, """
                apiVersion: v1
                kind: Secret
                metadata: {name: my-shop, namespace: %s}
                stringData: {username: shop, password: open}
                """.formatted(cluster.namespace()));
        databases.running("own", 1);
        databases.eventually(() -> {
            try (SqlClient program = databases.connect("own-0", "shop", "open")) {
                assertThat(program.query("SHOW DATABASES")).contains("app");
            }
        });
        assertThat(cluster.get(Secret.class, "my-root").getMetadata().getOwnerReferences())
                .isEmpty();
        assertThat(cluster.get(MySQLCluster.class, "own").told().currentPrimary())
                .isEqualTo("own-0");
    }
}

package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.condition.Conditions;
import io.busbar.common.condition.HasConditions;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLDatabase;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLGrant;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLUser;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Databases, accounts and rights of clusters, on real servers. */
@WithDatabases
@Order(EndToEnd.LONG)
class MySQLContentsIT {

    /** Of a database, an account and a table. */
    private static final List<String> HOSTILE =
            List.of("it's 100% my_app", "a`b\\\"c", "'; DROP DATABASE x; --", "`.* TO root; --");

    private final Cluster cluster;
    private final Databases databases;

    MySQLContentsIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    Cluster cluster() {
        return cluster;
    }

    Databases databases() {
        return databases;
    }

    @Test
    void all_three_are_made_changed_back_and_taken_away() {
        create(MySQLGrant.class, "may", "life", "user: {name: web}, database: my_shop, privileges: [SELECT, INSERT]");
        create(MySQLUser.class, "web", "life", "passwordSecretKeyRef: {name: web}, deletionPolicy: Delete");
        create(MySQLDatabase.class, "shop", "life", "name: my_shop, characterSet: utf8mb4, deletionPolicy: Delete");
        databases.eventually(
                () -> assertThat(ready(MySQLDatabase.class, "shop")).isEqualTo("False ClusterMissing"));
        databases.create("life", "size: 2");
        databases.running("life", 2);
        databases.eventually(() -> {
            assertThat(ready(MySQLDatabase.class, "shop")).isEqualTo("True Applied");
            assertThat(ready(MySQLUser.class, "web")).isEqualTo("False PasswordMissing");
            assertThat(ready(MySQLGrant.class, "may")).isEqualTo("False UserMissing");
        });
        secret("web", "one");
        databases.eventually(() -> assertThat(ready(MySQLGrant.class, "may")).isEqualTo("True Applied"));
        asRoot("CREATE TABLE my_shop.orders (id INT PRIMARY KEY)", "CREATE DATABASE myXshop");
        try (SqlClient web = login("life-0", "web", "one")) {
            web.query("INSERT INTO my_shop.orders VALUES (1)");
            assertThatThrownBy(() -> web.query("DELETE FROM my_shop.orders")).hasMessageContaining("denied");
            assertThatThrownBy(() -> web.query("USE myXshop")).hasMessageContaining("denied");
        }
        databases.eventually(() -> login("life-1", "web", "one").close());

        asRoot(
                "ALTER DATABASE my_shop CHARACTER SET latin1",
                "ALTER USER web IDENTIFIED BY 'other'",
                "GRANT DELETE ON `my\\_shop`.* TO web",
                "REVOKE INSERT ON `my\\_shop`.* FROM web");
        lookAgain(MySQLDatabase.class, "shop");
        lookAgain(MySQLUser.class, "web");
        lookAgain(MySQLGrant.class, "may");
        databases.eventually(() -> {
            assertThat(encoding("my_shop")).isEqualTo("utf8mb4");
            try (SqlClient web = login("life-0", "web", "one")) {
                web.query("INSERT INTO my_shop.orders VALUES (2)");
                assertThatThrownBy(() -> web.query("DELETE FROM my_shop.orders"))
                        .hasMessageContaining("denied");
            }
        });

        create(MySQLGrant.class, "more", "life", "user: {name: web}, database: my_shop, privileges: [SELECT, DELETE]");
        databases.eventually(() -> assertThat(ready(MySQLGrant.class, "more")).isEqualTo("True Applied"));
        cluster.patch(cluster.get(MySQLGrant.class, "may"), "{\"spec\":{\"privileges\":[\"SELECT\",\"UPDATE\"]}}");
        databases.eventually(() -> assertThat(grants("web"))
                .anyMatch(grant -> grant.startsWith("GRANT SELECT, UPDATE, DELETE ON `my\\_shop`.*")));
        cluster.resource(MySQLGrant.class, "more").delete();
        databases.eventually(() ->
                assertThat(grants("web")).anyMatch(grant -> grant.startsWith("GRANT SELECT, UPDATE ON `my\\_shop`.*")));

        create(MySQLDatabase.class, "again", "life", "name: my_shop, deletionPolicy: Delete");
        databases.eventually(
                () -> assertThat(ready(MySQLDatabase.class, "again")).isEqualTo("False Taken"));
        cluster.resource(MySQLDatabase.class, "again").delete();
        databases.eventually(() ->
                assertThat(cluster.resource(MySQLDatabase.class, "again").get()).isNull());
        assertThat(encoding("my_shop")).isEqualTo("utf8mb4");

        cluster.resource(MySQLGrant.class, "may").delete();
        databases.eventually(() -> assertThat(grants("web")).noneMatch(grant -> grant.contains("my\\_shop")));
        cluster.resource(MySQLUser.class, "web").delete();
        cluster.resource(MySQLDatabase.class, "shop").delete();
        databases.eventually(() -> {
            assertThat(cluster.resource(MySQLUser.class, "web").get()).isNull();
            assertThat(cluster.resource(MySQLDatabase.class, "shop").get()).isNull();
        });
        assertThat(databases.query("life", "life-0", "SELECT User FROM mysql.user"))
                .doesNotContain("web");
        assertThat(databases.query("life", "life-0", "SHOW DATABASES")).doesNotContain("my_shop");
        databases.awaitEvents("shop", "DatabaseCreated", "DatabaseAltered", "DatabaseDropped");
        databases.awaitEvents("web", "UserCreated", "PasswordChanged", "UserDropped");
        databases.awaitEvents("may", "Granted", "Revoked");
        assertThat(databases.events("life")).doesNotContain("MemberDiverged");

        create(MySQLDatabase.class, "kept", "life", "deletionPolicy: Delete");
        databases.eventually(
                () -> assertThat(ready(MySQLDatabase.class, "kept")).isEqualTo("True Applied"));
        cluster.resource(MySQLCluster.class, "life").delete();
        cluster.resource(MySQLDatabase.class, "kept").delete();
        databases.eventually(() ->
                assertThat(cluster.resource(MySQLDatabase.class, "kept").get()).isNull());
    }

    @Test
    void names_may_hold_anything_that_servers_take() {
        databases.create("odd", "size: 1");
        databases.running("odd", 1);
        secret("odd", "'; DROP USER root; -- \\ ä");
        for (int i = 0; i < HOSTILE.size(); i++) {
            String name = Serialization.asJson(HOSTILE.get(i));
            create(MySQLDatabase.class, "odd-" + i, "odd", "name: " + name + ", deletionPolicy: Delete");
            create(
                    MySQLUser.class,
                    "odd-" + i,
                    "odd",
                    "name: " + name + ", passwordSecretKeyRef: {name: odd}, deletionPolicy: Delete");
            create(
                    MySQLGrant.class,
                    "odd-" + i,
                    "odd",
                    "user: {name: " + name + "}, database: " + name + ", privileges: [ALL]");
        }
        for (int i = 0; i < HOSTILE.size(); i++) {
            String name = "odd-" + i;
            databases.eventually(() -> assertThat(ready(MySQLGrant.class, name)).isEqualTo("True Applied"));
            String quoted = "`" + HOSTILE.get(i).replace("`", "``") + "`";
            try (SqlClient program = login("odd-0", HOSTILE.get(i), "'; DROP USER root; -- \\ ä")) {
                program.query("CREATE TABLE " + quoted + "." + quoted + " (id INT PRIMARY KEY)");
                program.query("INSERT INTO " + quoted + "." + quoted + " VALUES (1)");
                assertThat(program.query("SELECT id FROM " + quoted + "." + quoted))
                        .containsExactly("1");
                assertThatThrownBy(() -> program.query("CREATE DATABASE other")).hasMessageContaining("denied");
            }
        }
        for (int i = 0; i < HOSTILE.size(); i++) {
            cluster.resource(MySQLGrant.class, "odd-" + i).delete();
            cluster.resource(MySQLUser.class, "odd-" + i).delete();
            cluster.resource(MySQLDatabase.class, "odd-" + i).delete();
        }
        databases.eventually(() -> {
            assertThat(databases.query("odd", "odd-0", "SHOW DATABASES")).doesNotContainAnyElementsOf(HOSTILE);
            assertThat(databases.query("odd", "odd-0", "SELECT User FROM mysql.user"))
                    .doesNotContainAnyElementsOf(HOSTILE);
        });

        assertThatThrownBy(() -> create(MySQLDatabase.class, "no", "odd", "name: mysql"))
                .hasMessageContaining("spec.name");
        assertThatThrownBy(() -> create(MySQLUser.class, "no", "odd", "name: root, passwordSecretKeyRef: {name: odd}"))
                .hasMessageContaining("must not be an account");
    }

    @Test
    void what_cannot_be_done_without_a_primary_is_done_by_the_next_one() {
        databases.create("over", "size: 3, failover: {delaySeconds: 1}, replication: {semiSync: true}");
        databases.running("over", 3);
        secret("over", "one");
        create(MySQLDatabase.class, "before", "over", "name: before");
        create(MySQLUser.class, "over", "over", "passwordSecretKeyRef: {name: over}");
        databases.eventually(() -> {
            assertThat(ready(MySQLDatabase.class, "before")).isEqualTo("True Applied");
            assertThat(ready(MySQLUser.class, "over")).isEqualTo("True Applied");
        });

        databases.server("over-0").hold();
        create(MySQLDatabase.class, "meanwhile", "over", "name: meanwhile");
        create(MySQLGrant.class, "over", "over", "user: {name: over}, database: meanwhile, privileges: [SELECT]");
        changeSecret("over", "two");
        databases.eventually(
                () -> assertThat(databases.status("over").failover().count()).isEqualTo(1));
        String primary = String.valueOf(databases.status("over").currentPrimary());
        databases.eventually(() -> {
            assertThat(ready(MySQLDatabase.class, "meanwhile")).isEqualTo("True Applied");
            assertThat(ready(MySQLGrant.class, "over")).isEqualTo("True Applied");
            try (SqlClient program = login(primary, "over", "two")) {
                program.query("USE meanwhile");
            }
        });

        databases.server("over-0").release();
        databases.running("over", 3);
        databases.eventually(() -> {
            assertThat(databases.query("over", "over-0", "SHOW DATABASES")).contains("before", "meanwhile");
            login("over-0", "over", "two").close();
        });
        assertThat(databases.events("over")).doesNotContain("MemberDiverged");
    }

    private void asRoot(String... statements) {
        for (String statement : statements) {
            databases.query("life", "life-0", statement);
        }
    }

    private String encoding(String database) {
        return databases
                .query(
                        "life",
                        "life-0",
                        "SELECT DEFAULT_CHARACTER_SET_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = '"
                                + database + "'")
                .get(0);
    }

    private List<String> grants(String user) {
        return databases.query("life", "life-0", "SHOW GRANTS FOR " + user);
    }

    /** A program that has just logged in; it may not be let in yet. */
    SqlClient login(String pod, String user, String password) {
        SqlClient client = SqlClient.connect(databases.vertx(), databases.address(pod), user, password);
        client.query("SELECT 1");
        return client;
    }

    /** @param rest of its spec, in the flow style of YAML */
    <T extends CustomResource<?, ?>> T create(Class<T> type, String name, String of, String rest) {
        return cluster.create(type, """
                apiVersion: database.example.com/v1alpha1
                kind: %s
                metadata: {name: %s, namespace: %s}
                spec: {clusterRef: {name: %s}, %s}
                """.formatted(type.getSimpleName(), name, cluster.namespace(), of, rest));
    }

    void secret(String name, String password) {
        cluster.create(Secret.class, """
                apiVersion: v1
                kind: Secret
                metadata: {name: %s, namespace: %s}
                stringData: {password: %s}
                """.formatted(name, cluster.namespace(), Serialization.asJson(password)));
    }

    void changeSecret(String name, String password) {
        cluster.patch(
                cluster.get(Secret.class, name),
                Serialization.asJson(Map.of("stringData", Map.of("password", password))));
    }

    /** At once, and not within a minute. */
    private void lookAgain(Class<? extends CustomResource<?, ?>> type, String name) {
        cluster.annotate(cluster.get(type, name), "looked-at", "again");
    }

    String ready(Class<? extends CustomResource<?, ? extends HasConditions>> type, String name) {
        return condition(type, name)
                .map(condition -> condition.getStatus() + " " + condition.getReason())
                .orElse("");
    }

    String message(Class<? extends CustomResource<?, ? extends HasConditions>> type, String name) {
        return condition(type, name).map(Condition::getMessage).orElse("");
    }

    private Optional<Condition> condition(
            Class<? extends CustomResource<?, ? extends HasConditions>> type, String name) {
        return Optional.ofNullable(cluster.get(type, name).getStatus())
                .flatMap(status -> Conditions.find(status.conditions(), "Ready"));
    }
}

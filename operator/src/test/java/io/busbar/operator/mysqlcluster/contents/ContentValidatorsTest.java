package io.busbar.operator.mysqlcluster.contents;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.FieldProblem;
import io.busbar.admission.Validator;
import io.busbar.operator.mysqlcluster.v1alpha1.ClusterRef;
import io.busbar.operator.mysqlcluster.v1alpha1.DeletionPolicy;
import io.busbar.operator.mysqlcluster.v1alpha1.GrantedUser;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLDatabase;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLDatabaseSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLGrant;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLGrantSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLUser;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLUserSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.SecretKeyRef;
import io.busbar.operator.mysqlcluster.v1alpha1.TlsRequirement;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentValidatorsTest {

    private static final ClusterRef SHOP = new ClusterRef("shop");

    @ParameterizedTest
    @ValueSource(
            strings = {"it's", "a`b", "back\\slash", "100%", "my_app", "'; DROP DATABASE x; --", "mysqlx", "..", "a b"})
    void names_may_hold_what_servers_take(String name) {
        assertThat(ofDatabase(name)).isEmpty();
        assertThat(ofUser(name, "%")).isEmpty();
        assertThat(ofGrant(name, "%", name, name, "SELECT")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"mysql", "MySQL", "sys", "information_schema", "PERFORMANCE_SCHEMA", "busbar_copy_in_progress"})
    void databases_of_the_server_and_the_operator_are_for_nobody(String name) {
        assertThat(ofDatabase(name))
                .singleElement()
                .asString()
                .startsWith("spec.name: Invalid value: \"" + name + "\"")
                .contains("information_schema, mysql, performance_schema, sys");
        assertThat(ofGrant("app", "%", name, "*", "SELECT"))
                .singleElement()
                .asString()
                .startsWith("spec.database: Invalid value: \"" + name + "\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "root",
                "Root",
                "mysql",
                "mysql.sys",
                "mysql.session",
                "mariadb.sys",
                "event_scheduler",
                "busbar_operator",
                "busbar_replication"
            })
    void accounts_of_the_server_and_the_operator_are_for_nobody(String name) {
        assertThat(ofUser(name, "%"))
                .singleElement()
                .asString()
                .startsWith("spec.name: Invalid value: \"" + name + "\"")
                .contains("root, mysql");
        assertThat(ofGrant(name, "localhost", "shop", "*", "SELECT"))
                .singleElement()
                .asString()
                .startsWith("spec.user.name: Invalid value: \"" + name + "\"");
    }

    @Test
    void the_account_of_each_cluster_may_be_given_rights_elsewhere_but_not_be_made() {
        assertThat(ofUser("busbar_application", "%")).singleElement().asString().contains("makes by itself");
        assertThat(ofGrant("busbar_application", "%", "reports", "*", "SELECT")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nul\0", "end ", "smile\uD83D\uDE00"})
    void names_that_servers_do_not_keep_are_refused(String name) {
        assertThat(ofDatabase(name)).isNotEmpty();
        assertThat(ofUser(name, "%")).isNotEmpty();
        assertThat(ofGrant("app", "%", "shop", name, "SELECT")).isNotEmpty();
    }

    @Test
    void names_have_lengths_that_some_server_takes() {
        assertThat(ofDatabase("d".repeat(64))).isEmpty();
        assertThat(ofDatabase("d".repeat(65)))
                .singleElement()
                .asString()
                .contains("must have 1 to 64 characters; it has 65");
        assertThat(ofUser("u".repeat(128), "h".repeat(255))).isEmpty();
        assertThat(ofUser("u".repeat(129), "h".repeat(256))).hasSize(2);
        assertThat(ofDatabase("#MySQL50#mysql")).singleElement().asString().contains("must not begin with #mysql50#");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "localhost", "10.0.%", "192.168.1.0/255.255.255.0", "::1", "shop_.example.com"})
    void hosts_are_names_addresses_or_patterns(String host) {
        assertThat(ofUser("app", host)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"'", "Shop", "a b", "x'@'y", "h\0"})
    void other_hosts_are_refused(String host) {
        assertThat(ofUser("app", host))
                .singleElement()
                .asString()
                .startsWith("spec.host: Invalid value")
                .contains("a-z, 0-9");
    }

    @Test
    void utf8_is_refused_as_nobody_knows_which() {
        assertThat(problems(ContentValidators.DATABASES, database("shop", "utf8", "utf8_bin")))
                .hasSize(2)
                .allMatch(problem -> problem.contains("utf8mb4 or utf8mb3"));
        assertThat(problems(ContentValidators.DATABASES, database("shop", "utf8mb4", "utf8mb4_bin")))
                .isEmpty();
    }

    @Test
    void privileges_are_those_of_the_scope() {
        assertThat(ofGrant("app", "%", "shop", "*", "select", "create  view", "LOCK TABLES"))
                .isEmpty();
        assertThat(ofGrant("app", "%", "shop", "orders", "SELECT", "LOCK TABLES"))
                .singleElement()
                .asString()
                .startsWith(
                        "spec.privileges[1]: Unsupported value: \"LOCK TABLES\": supported values: ALL PRIVILEGES, ALTER");
        assertThat(ofGrant("app", "%", "shop", "*", "SUPER"))
                .singleElement()
                .asString()
                .contains("SHOW VIEW, TRIGGER");
        assertThat(ofGrant("app", "%", "shop", "*")).singleElement().asString().contains("Required value");
        assertThat(ofGrant("app", "%", "shop", "*", "SELECT", "select"))
                .containsExactly("spec.privileges[1]: Duplicate value: \"select\"");
        assertThat(ofGrant("app", "%", "shop", "*", "ALL", "SELECT"))
                .singleElement()
                .asString()
                .contains("nothing beside ALL");
        assertThat(ofGrant("app", "%", "*", "*", "SELECT"))
                .singleElement()
                .asString()
                .contains("one database");
    }

    @Test
    void what_an_object_stands_for_cannot_be_changed() {
        assertThat(changes(
                        ContentValidators.DATABASES, database("shop", null, null), database("shop", "utf8mb4", null)))
                .isEmpty();
        assertThat(changes(ContentValidators.DATABASES, database("shop", null, null), database("other", null, null)))
                .containsExactly("spec.name: Forbidden: cannot be changed: make another object");
        assertThat(changes(ContentValidators.DATABASES, database(null, null, null), database("named", null, null)))
                .as("the name that was meant")
                .isEmpty();
        assertThat(changes(ContentValidators.USERS, user("app", "%"), user("app", "localhost")))
                .containsExactly("spec.host: Forbidden: cannot be changed: make another object");
        assertThat(changes(
                        ContentValidators.GRANTS,
                        grant("app", "%", "shop", "*", "SELECT"),
                        grant("app", "%", "shop", "*", "INSERT")))
                .isEmpty();
        assertThat(changes(
                        ContentValidators.GRANTS,
                        grant("app", "%", "shop", "*", "SELECT"),
                        grant("application", "%", "store", "orders", "SELECT")))
                .hasSize(3);
    }

    private static List<String> ofDatabase(String name) {
        return problems(ContentValidators.DATABASES, database(name, null, null));
    }

    private static List<String> ofUser(String name, String host) {
        return problems(ContentValidators.USERS, user(name, host));
    }

    private static List<String> ofGrant(String user, String host, String database, String table, String... words) {
        // An empty table means all of them.
        String named = table.isEmpty() ? "\0" : table;
        return problems(ContentValidators.GRANTS, grant(user, host, database, named, words));
    }

    private static MySQLDatabase database(
            @Nullable String name, @Nullable String characterSet, @Nullable String collate) {
        MySQLDatabase database = new MySQLDatabase();
        database.getMetadata().setName("named");
        database.setSpec(new MySQLDatabaseSpec(SHOP, name, characterSet, collate, DeletionPolicy.Retain));
        return database;
    }

    private static MySQLUser user(String name, String host) {
        MySQLUser user = new MySQLUser();
        user.getMetadata().setName("named");
        user.setSpec(new MySQLUserSpec(
                SHOP,
                name,
                host,
                new SecretKeyRef("app", "password"),
                600,
                TlsRequirement.None,
                0,
                DeletionPolicy.Retain));
        return user;
    }

    private static MySQLGrant grant(String user, String host, String database, String table, String... words) {
        MySQLGrant grant = new MySQLGrant();
        grant.getMetadata().setName("named");
        grant.setSpec(new MySQLGrantSpec(SHOP, new GrantedUser(user, host), database, table, List.of(words), false));
        return grant;
    }

    private static <T> List<String> problems(Validator<T> validator, T object) {
        return validator.create(object, nothing()).problems().stream()
                .map(FieldProblem::toString)
                .toList();
    }

    private static <T> List<String> changes(Validator<T> validator, T before, T after) {
        return validator.update(before, after, nothing()).problems().stream()
                .map(FieldProblem::toString)
                .toList();
    }

    /** A request that must not be asked anything. */
    private static AdmissionRequest nothing() {
        return (AdmissionRequest) Proxy.newProxyInstance(
                AdmissionRequest.class.getClassLoader(),
                new Class<?>[] {AdmissionRequest.class},
                (proxy, method, values) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
    }
}

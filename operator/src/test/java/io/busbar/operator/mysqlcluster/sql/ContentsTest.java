package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.sql.Contents.Encoding;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What is in a real server of MariaDB, on which a backslash is no escape unless a session says so. */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMariaDb", disabledReason = Product.NEEDS_MARIADB)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContentsTest {

    /** What both products take, but nobody should have to think of; names of users are at most 32 characters there. */
    private static final List<String> HOSTILE = List.of(
            "it's",
            "say \"it\"",
            "a`b``c",
            "back\\slash\\\\",
            "\\'",
            "100%",
            "my_app",
            "my\\_app",
            "'; DROP DATABASE shop; -- ",
            "`.* TO root; --",
            "two words\tand\na line",
            "../../etc",
            "a@b'@'%",
            "ünïcödé €",
            "#comment /* or */");

    private static final AccountName PROGRAM = new AccountName("program", "%");

    private final Vertx vertx = Vertx.vertx();
    private Node node;

    Product product() {
        return Product.MARIADB;
    }

    Node node() {
        return node;
    }

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        node = Node.start(product(), vertx, folder, 151, "sql_mode=NO_BACKSLASH_ESCAPES,ANSI_QUOTES");
        node.server().makeWritable();
        node.sql("CREATE DATABASE shop", "CREATE TABLE shop.orders (id INT PRIMARY KEY)");
    }

    @AfterAll
    void stop() {
        node.close();
        vertx.close().await();
    }

    @Test
    void names_stay_what_they_are_whatever_they_hold() throws Exception {
        for (String hostile : HOSTILE) {
            String name = hostile.strip();
            AccountName account = new AccountName(name, "%");
            Scope scope = new Scope(account, name, "*");
            Rights rights = new Rights(List.of("CREATE", "DROP", "INSERT", "SELECT"), true);
            Rights less = new Rights(List.of("SELECT"), false);
            Scope table = new Scope(account, name, name);
            String neighbour = name.replace('_', 'X').replace('%', 'Y') + "Z";
            try (Contents contents = node.server().contents()) {
                contents.createDatabase(name, new Encoding("utf8mb4", "utf8mb4_bin"));
                contents.createUser(account, name, 3);
                contents.grant(scope, rights);
                assertThat(contents.database(name)).contains(new Encoding("utf8mb4", "utf8mb4_bin"));
                assertThat(contents.rights(scope)).as(name).isEqualTo(rights);
            }
            try (Statements program = node.as(new Account(name, name))) {
                String own = Quoted.name(name) + "." + Quoted.name(name);
                program.query("CREATE TABLE " + own + " (id INT PRIMARY KEY)");
                program.query("INSERT INTO " + own + " VALUES (1)");
                assertThatThrownBy(() -> program.query("CREATE DATABASE " + Quoted.name(neighbour)))
                        .as(neighbour)
                        .isInstanceOf(SqlFailure.class);
            }
            try (Contents contents = node.server().contents()) {
                contents.revoke(scope, rights.without(less));
                assertThat(contents.rights(scope)).as(name).isEqualTo(less);
                contents.revoke(scope, less);
                assertThat(contents.rights(scope).isEmpty()).as(name).isTrue();
                assertThat(contents.hasTable(name, name)).isTrue();
                contents.grant(table, rights.without(new Rights(List.of("DROP"), false)));
                assertThat(contents.rights(table).privileges()).containsExactly("CREATE", "INSERT", "SELECT");
                assertThat(contents.rights(table).grantOption()).isTrue();
                contents.revoke(table, contents.rights(table));
                assertThat(contents.rights(table).isEmpty()).as(name).isTrue();
                contents.changePassword(account, "new " + name, false);
                node.as(new Account(name, "new " + name)).close();
                contents.dropUser(account);
                contents.dropUser(account);
                contents.dropDatabase(name);
                contents.dropDatabase(name);
                assertThat(contents.user(account)).isEmpty();
                assertThat(contents.database(name)).isEmpty();
            }
        }
        assertThat(node.orders()).isZero();
    }

    @Test
    void all_privileges_are_those_that_the_server_gives_for_all() throws Exception {
        try (Contents contents = node.server().contents()) {
            contents.createUser(PROGRAM, "secret", 0);
            for (String where : List.of("shop.*", "shop.orders")) {
                Scope scope = new Scope(PROGRAM, "shop", where.substring(where.indexOf('.') + 1));
                Set<String> all = contents.allPrivileges(scope);
                node.sql("GRANT ALL ON " + where + " TO program");
                assertThat(contents.rights(scope)).isEqualTo(new Rights(new TreeSet<>(all), false));
                contents.revoke(scope, contents.rights(scope));
                contents.grant(scope, new Rights(all, false));
                assertThat(node.sql("SHOW GRANTS FOR program"))
                        .anySatisfy(row -> assertThat(row.only().orElse("")).startsWith("GRANT ALL PRIVILEGES ON "));
                contents.revoke(scope, contents.rights(scope));
            }
            contents.dropUser(PROGRAM);
        }
    }

    @Test
    void nothing_is_given_to_an_account_that_is_not_there() throws Exception {
        AccountName nobody = new AccountName("nobody", "%");
        try (Contents contents = node.server().contents()) {
            assertThatThrownBy(
                            () -> contents.grant(new Scope(nobody, "shop", "*"), new Rights(List.of("SELECT"), false)))
                    .isInstanceOf(SqlFailure.class);
            assertThat(contents.user(nobody)).isEmpty();
        }
    }

    @Test
    void a_password_stands_neither_in_failures_nor_in_the_binary_log() throws Exception {
        try (Contents contents = node.server().contents()) {
            contents.createUser(PROGRAM, "open-sesame", 0);
            contents.changePassword(PROGRAM, "open-sesame-2", false);
            contents.dropUser(PROGRAM);
            SqlFailure failure = catchThrowableOfType(
                    SqlFailure.class, () -> contents.changePassword(PROGRAM, "open-sesame-3", false));
            assertThat(failure).hasMessageContaining("ALTER USER program@%").hasNoCause();
            assertThat(failure.toString()).doesNotContain("open-sesame");
        }
        String last = node.sql("SHOW BINARY LOGS").stream()
                .reduce((one, other) -> other)
                .orElseThrow()
                .text("Log_name");
        assertThat(node.sql("SHOW BINLOG EVENTS IN '" + last + "'"))
                .anySatisfy(row -> assertThat(row.text("Info")).containsIgnoringCase("ALTER USER 'program'@'%'"))
                .noneSatisfy(row -> assertThat(row.text("Info")).contains("open-sesame"));
    }

    @Test
    void what_a_server_keeps_of_a_password_differs_when_it_was_changed() throws Exception {
        try (Contents contents = node.server().contents()) {
            contents.createUser(PROGRAM, "one", 5);
            Contents.User first = contents.user(PROGRAM).orElseThrow();
            assertThat(first.maxConnections()).isEqualTo(5);
            contents.limitConnections(PROGRAM, 7);
            assertThat(contents.user(PROGRAM)).contains(new Contents.User(first.passwordDigest(), false, 7, ""));
            node.sql("ALTER USER program IDENTIFIED BY 'two'");
            assertThat(contents.user(PROGRAM).orElseThrow().passwordDigest()).isNotEqualTo(first.passwordDigest());
            contents.dropUser(PROGRAM);
        }
    }

    @Test
    void a_server_that_takes_no_writes_is_not_opened_and_is_closed_to_who_has_it_open() throws Exception {
        try (Contents contents = node.server().contents()) {
            node.server().makeReadOnly();
            assertThat(catchThrowableOfType(
                                    SqlFailure.class, () -> contents.createDatabase("late", new Encoding(null, null)))
                            .kind())
                    .isIn(SqlFailure.Kind.UNREACHABLE, SqlFailure.Kind.REFUSED);
            assertThat(catchThrowableOfType(
                            SqlFailure.class, () -> node.server().contents()))
                    .hasMessageContaining("takes no writes");
        } finally {
            node.server().makeWritable();
        }
        assertThat(node.sql("SHOW DATABASES LIKE 'late'")).isEmpty();
        node.server().contents().close();
    }
}

package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.operator.mysqlcluster.bed.Product;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The same with a server of MySQL, which also keeps old passwords. */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMySql", disabledReason = Product.NEEDS_MYSQL)
class ContentsOnMySqlTest extends ContentsTest {

    @Override
    Product product() {
        return Product.MYSQL;
    }

    @Test
    void an_old_password_lets_in_until_it_is_discarded() throws Exception {
        AccountName name = new AccountName("turning", "%");
        try (Contents contents = node().server().contents()) {
            contents.createUser(name, "one", 0);
            assertThat(contents.user(name).orElseThrow().retainsOld()).isFalse();
            contents.changePassword(name, "two", true);
            assertThat(contents.user(name).orElseThrow().retainsOld()).isTrue();
            node().as(new Account("turning", "one")).close();
            node().as(new Account("turning", "two")).close();

            contents.discardOldPassword(name);
            assertThat(contents.user(name).orElseThrow().retainsOld()).isFalse();
            assertThatThrownBy(() -> node().as(new Account("turning", "one"))).isInstanceOf(SqlFailure.class);
            node().as(new Account("turning", "two")).close();
            contents.dropUser(name);
        }
    }

    @Test
    void rights_are_for_one_database_also_where_names_are_no_patterns() throws Exception {
        AccountName name = new AccountName("partial", "%");
        Scope scope = new Scope(name, "my_shop", "*");
        node().sql("SET GLOBAL partial_revokes = ON", "CREATE DATABASE my_shop");
        try (Contents contents = node().server().contents()) {
            contents.createUser(name, "one", 0);
            contents.grant(scope, new Rights(List.of("SELECT"), false));
            assertThat(contents.rights(scope).privileges()).containsExactly("SELECT");
            try (Statements program = node().as(new Account("partial", "one"))) {
                program.query("USE my_shop");
            }
            contents.dropUser(name);
            contents.dropDatabase("my_shop");
        } finally {
            node().sql("SET GLOBAL partial_revokes = OFF");
        }
    }
}

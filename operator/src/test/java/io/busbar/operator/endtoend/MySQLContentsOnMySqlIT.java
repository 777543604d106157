package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLUser;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The same with servers of MySQL, which let an old password in for a while. */
@WithDatabases(Product.MYSQL)
@Order(EndToEnd.LONG)
class MySQLContentsOnMySqlIT extends MySQLContentsIT {

    MySQLContentsOnMySqlIT(Cluster cluster, Databases databases) {
        super(cluster, databases);
    }

    private void tryLogin(String password, List<String> failed) {
        try (SqlClient program = login("turn-0", "turning", password)) {
            program.query("SELECT CURRENT_USER()");
        } catch (IllegalStateException refused) {
            failed.add(password + ": " + refused.getMessage());
        }
    }

    @Test
    void a_password_is_changed_while_programs_log_in_with_either() {
        databases().create("turn", "size: 2");
        databases().running("turn", 2);
        secret("turning", "one");
        create(
                MySQLUser.class,
                "turning",
                "turn",
                "passwordSecretKeyRef: {name: turning}, passwordRetentionSeconds: 45");
        databases()
                .eventually(() -> assertThat(ready(MySQLUser.class, "turning")).isEqualTo("True Applied"));
        login("turn-0", "turning", "one").close();

        changeSecret("turning", "two");
        List<String> failed = new ArrayList<>();
        databases().eventually(() -> {
            tryLogin("one", failed);
            assertThat(message(MySQLUser.class, "turning")).contains("the old password is good until");
        });
        tryLogin("one", failed);
        tryLogin("two", failed);
        assertThat(failed).isEmpty();
        databases().eventually(() -> login("turn-1", "turning", "two").close());
        Instant until = Instant.parse(Objects.requireNonNull(
                cluster().get(MySQLUser.class, "turning").told().password().oldUntil()));

        databases().eventually(() -> {
            assertThat(cluster()
                            .get(MySQLUser.class, "turning")
                            .told()
                            .password()
                            .oldUntil())
                    .isNull();
        });
        assertThat(Instant.now()).isAfterOrEqualTo(until);
        assertThatThrownBy(() -> login("turn-0", "turning", "one")).hasMessageContaining("denied");
        login("turn-0", "turning", "two").close();
        databases().awaitEvents("turning", "UserCreated", "PasswordChanged", "OldPasswordDiscarded");
    }
}

package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.sql.SqlFailure.Kind;
import io.vertx.mysqlclient.MySQLException;
import java.net.ConnectException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailuresTest {

    private static final Endpoint SERVER = new Endpoint("db", 3306);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1045 | Access denied for user 'a'@'b' | DENIED",
                "1227 | Access denied; you need (at least one of) the SUPER privilege(s) | DENIED",
                "1130 | Host '10.0.0.1' is not allowed to connect to this MySQL server | DENIED",
                "1021 | Disk full (/tmp/#sql); waiting for someone to free some space... | DISK_FULL",
                "1114 | The table 'orders' is full | DISK_FULL",
                "3 | Error writing file './binlog.000002' (Errcode: 28 \"No space left on device\") | DISK_FULL",
                "1026 | Error writing file './binlog.~rec~' (errno: 28 \"No space left on device\") | DISK_FULL",
                "1030 | Got error 28 \"No space left on device\" from storage engine InnoDB | DISK_FULL",
                "1030 | Got error 280 from storage engine | REFUSED",
                "1040 | Too many connections | UNREACHABLE",
                "1053 | Server shutdown in progress | UNREACHABLE",
                "1927 | Connection was killed | UNREACHABLE",
                "1205 | Lock wait timeout exceeded; try restarting transaction | REFUSED",
                "1290 | The MariaDB server is running with the --read-only option | REFUSED",
            })
    void are_sorted_by_what_helps(int code, String message, Kind kind) {
        SqlFailure failure = Failures.of(SERVER, "INSERT", new MySQLException(message, code, "HY000"));
        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure).hasMessageStartingWith("db:3306: INSERT: ").hasMessageContaining(message);
    }

    @Test
    void are_of_the_connection_when_the_server_did_not_answer() {
        assertThat(Failures.of(SERVER, "INSERT", new TimeoutException()))
                .hasMessage("db:3306: INSERT: no answer in time")
                .extracting(SqlFailure::kind)
                .isEqualTo(Kind.UNREACHABLE);
        assertThat(Failures.ofSecret(SERVER, "ALTER USER x", new ConnectException("refused")))
                .hasMessage("db:3306: ALTER USER x: refused")
                .extracting(SqlFailure::kind)
                .isEqualTo(Kind.UNREACHABLE);
    }

    @Test
    void tell_nothing_of_a_secret_but_its_kind() {
        MySQLException repeated = new MySQLException("error near 'secret'", 1064, "42000");
        assertThat(Failures.ofSecret(SERVER, "ALTER USER x", repeated))
                .hasMessage("db:3306: ALTER USER x: error 1064")
                .hasNoCause()
                .extracting(SqlFailure::kind)
                .isEqualTo(Kind.REFUSED);
        MySQLException weak = new MySQLException("Your password 'secret' does not satisfy", 1819, "HY000");
        assertThat(Failures.ofSecret(SERVER, "ALTER USER x", weak))
                .hasMessage("db:3306: ALTER USER x: error 1819, the server's rules for passwords refuse it");
        assertThat(new Account("x", "secret")).hasToString("x");
    }
}

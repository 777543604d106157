package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.sql.PhysicalCopy.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhysicalCopyTest {

    private static final long ASKED = 1_700_000_000;

    @ParameterizedTest
    @CsvSource({
        "8.0.36, 8.0.36, true",
        "8.0.36, 8.0.37, false",
        "8.0.37, 8.0.41, true",
        "8.4.0, 8.4.9, true",
        "8.4.9, 9.7.4, false",
        "10.11.19-MariaDB-0+deb12u1, 10.11.19-MariaDB-0+deb12u1-log, true",
        "10.11.18-MariaDB, 10.11.19-MariaDB, false",
        "10.11.19-MariaDB, 10.11.19, false",
        "unknown, unknown, false"
    })
    void servers_copy_files_of_the_same_release_and_of_the_same_series_where_they_can(
            String from, String to, boolean possible) {
        assertThat(PhysicalCopy.isPossible(from, to)).isEqualTo(possible);
        assertThat(PhysicalCopy.isPossible(to, from)).isEqualTo(possible);
    }

    @Test
    void a_request_is_one_to_the_server_that_runs() {
        String told = "wanted from db-1.db-headless.shop.svc at " + ASKED;

        assertThat(CopyRequest.copy(told, ASKED - 100).stage()).isEqualTo(Stage.WAITING);
        assertThat(CopyRequest.copy(told, ASKED + 2))
                .isEqualTo(new PhysicalCopy(Stage.BROKEN_OFF, "the server was started again without them"));
    }

    @Test
    void what_has_become_of_it_is_told_by_the_script() {
        assertThat(CopyRequest.copy("whole 0-100-5,1-101-7", ASKED).position()).contains("0-100-5,1-101-7");
        assertThat(CopyRequest.copy("broken off: no space left", ASKED))
                .isEqualTo(new PhysicalCopy(Stage.BROKEN_OFF, "no space left"));
        assertThat(CopyRequest.copy("begun", ASKED).stage()).isEqualTo(Stage.BROKEN_OFF);
        assertThat(CopyRequest.copy("moving 0-100-5", ASKED).stage()).isEqualTo(Stage.BROKEN_OFF);
    }
}

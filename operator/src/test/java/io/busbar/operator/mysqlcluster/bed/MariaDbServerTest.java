package io.busbar.operator.mysqlcluster.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

@EnabledIf(
        value = "io.busbar.operator.mysqlcluster.bed.MariaDbServer#installed",
        disabledReason = "mariadbd is not installed")
class MariaDbServerTest {

    @TempDir
    private Path folder;

    @Test
    void keeps_its_data_and_its_address_over_a_sudden_end() throws InterruptedException {
        Path data = folder.resolve("data");
        MariaDbServer.initialize(data, "secret");
        MariaDbServer first = MariaDbServer.start(data, "127.0.3.1", 0);
        first.awaitAccepting(Duration.ofSeconds(20));
        first.kill();
        assertThat(first.isAlive()).isFalse();

        try (MariaDbServer second = MariaDbServer.start(data, first.address(), first.port())) {
            second.awaitAccepting(Duration.ofSeconds(20));
            assertThat(second.log()).contains("port: " + first.port());
            second.freeze();
            second.stop();
            assertThat(second.log()).contains("Shutdown complete");
        }
    }

    @Test
    void obeys_option_files_and_says_so_in_its_log_when_it_cannot() throws IOException, InterruptedException {
        Path data = folder.resolve("data");
        MariaDbServer.initialize(data, "secret");
        Path options = Files.write(folder.resolve("my.cnf"), List.of("[mysqld]", "no_such_option=1"));
        try (MariaDbServer server = MariaDbServer.start(data, "127.0.3.2", 0, options)) {
            assertThatThrownBy(() -> server.awaitAccepting(Duration.ofSeconds(20)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no_such_option");
            assertThat(server.isAlive()).isFalse();
        }
    }
}

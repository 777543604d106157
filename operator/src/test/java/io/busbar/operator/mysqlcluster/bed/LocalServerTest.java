package io.busbar.operator.mysqlcluster.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LocalServerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void keeps_its_data_and_its_address_over_a_sudden_end(Product product) throws InterruptedException {
        assumeTrue(product.installed(), product.lacking());
        Path data = folder.resolve("data");
        LocalServer.initialize(product, data, "secret");
        LocalServer first = LocalServer.start(product, data, "127.0.3.1", 0);
        first.awaitAccepting(PATIENCE);
        first.kill();
        assertThat(first.isAlive()).isFalse();

        try (LocalServer second = LocalServer.start(product, data, first.address(), first.port())) {
            second.awaitAccepting(PATIENCE);
            assertThat(second.log()).contains("port: " + first.port());
            second.freeze();
            second.stop();
            assertThat(second.log()).containsIgnoringCase("shutdown complete");
        }
    }

    @ParameterizedTest
    @EnumSource
    void obeys_option_files_and_says_so_in_its_log_when_it_cannot(Product product)
            throws IOException, InterruptedException {
        assumeTrue(product.installed(), product.lacking());
        Path data = folder.resolve("data");
        LocalServer.initialize(product, data, "secret");
        Path options = Files.write(folder.resolve("my.cnf"), List.of("[mysqld]", "no_such_option=1"));
        try (LocalServer server = LocalServer.start(product, data, "127.0.3.2", 0, options)) {
            assertThatThrownBy(() -> server.awaitAccepting(PATIENCE))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no_such_option");
            assertThat(server.isAlive()).isFalse();
        }
    }
}

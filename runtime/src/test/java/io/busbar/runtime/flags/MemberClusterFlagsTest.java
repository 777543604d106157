package io.busbar.runtime.flags;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.configuration.InvalidConfigurationException;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MemberClusterFlagsTest {

    private static final String KUBECONFIG = """
            apiVersion: v1
            kind: Config
            current-context: it
            contexts: [{name: it, context: {cluster: it, user: it}}]
            clusters: [{name: it, cluster: {server: "https://%s:6443"}}]
            users: [{name: it, user: {token: secret}}]
            """;

    @Test
    void name_a_kubeconfig_for_each_cluster(@TempDir Path folder) throws IOException {
        Path east = Files.writeString(folder.resolve("east"), KUBECONFIG.formatted("east"));
        Path west = Files.writeString(folder.resolve("west"), KUBECONFIG.formatted("west"));

        Map<String, Config> configs =
                parsed("--clusters=east=" + east + ",west=" + west).configs();
        assertThat(configs).containsOnlyKeys("east", "west");
        assertThat(configs.get("west").getMasterUrl()).isEqualTo("https://west:6443/");
        assertThat(parsed().configs()).isEmpty();
    }

    @Test
    void name_all_that_is_wrong(@TempDir Path folder) {
        MemberClusterFlags flags = parsed("--clusters=East=any,west=" + folder.resolve("missing"));

        assertThatThrownBy(flags::configs)
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("East")
                .hasMessageContaining("1 to 63 lower-case letters")
                .hasMessageContaining("a readable kubeconfig");
    }

    private static MemberClusterFlags parsed(String... args) {
        Command command = new Command();
        new CommandLine(command).parseArgs(args);
        return command.clusters;
    }

    @CommandLine.Command
    private static final class Command {
        @CommandLine.Mixin
        private MemberClusterFlags clusters;
    }
}

package io.busbar.sandbox.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.sandbox.FeatureGate;
import io.busbar.sandbox.SandboxOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void lists_its_flags_and_tells_its_version() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains(
                        "Usage: busbar-sandbox",
                        "--port",
                        "--bind-address",
                        "--advertise-address",
                        "--nodes",
                        "--kubernetes-version",
                        "--rbac",
                        "--data-dir",
                        "--log-level",
                        "--log-format",
                        "--kubeconfig",
                        "--feature-gates=GATE=BOOLEAN");
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).contains("busbar-sandbox dev");
    }

    @Test
    void names_a_wrong_flag_its_value_and_what_is_allowed() {
        assertThat(run("--port=65536")).isEqualTo(2);
        assertThat(run("--nodes=-1")).isEqualTo(2);
        assertThat(run("--kubernetes-version=newest")).isEqualTo(2);
        assertThat(run("--speed=high")).isEqualTo(2);
        assertThat(run("--bind-address=localhost")).isEqualTo(2);
        assertThat(run("--port=1", "--port=x")).isEqualTo(2);
        assertThat(run("--log-format=xml")).isEqualTo(2);
        assertThat(run("--advertise-address=sandbox,0.0.0.0")).isEqualTo(2);
        assertThat(run("--feature-gates=Speed=true")).isEqualTo(2);
        assertThat(run("--feature-gates=ShardedListAndWatch=maybe")).isEqualTo(2);
        assertThat(run("--feature-gates=ShardedListAndWatch")).isEqualTo(2);
        assertThat(err.toString())
                .contains("--port", "'65536' is not allowed; allowed: a port from 0 to 65535", "'x' is not allowed")
                .contains("--log-format", "'xml'")
                .contains("--nodes", "'-1' is not allowed; allowed: a number from 0 to 1000")
                .contains("--kubernetes-version", "'newest' is not allowed; allowed: a version such as v1.36.2")
                .contains("'--speed=high'")
                .contains(
                        "--bind-address",
                        "'localhost' is not allowed; allowed: an IP address of this machine, or 0.0.0.0 or :: for")
                .contains("--advertise-address", "'0.0.0.0' is not allowed; allowed: HOST or HOST:PORT")
                .contains(
                        "--feature-gates", "'Speed' is not allowed; allowed: ShardedListAndWatch, ManagedFieldsOptOut")
                .contains("'maybe' is not allowed; allowed: true, false")
                .contains("'--feature-gates' (GATE=BOOLEAN) should be in KEY=VALUE[,KEY=VALUE]... format but was"
                        + " ShardedListAndWatch")
                .doesNotContain("\tat ");
    }

    @Test
    void opens_the_gates_that_it_is_told_to() {
        assertThat(options().featureGates()).isEmpty();
        assertThat(options("--feature-gates=ShardedListAndWatch=false").featureGates())
                .isEmpty();
        assertThat(options("--feature-gates=ShardedListAndWatch=true").featureGates())
                .containsExactly(FeatureGate.SHARDED_LIST_AND_WATCH);
    }

    @Test
    void says_in_a_line_why_it_does_not_start(@TempDir Path folder) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(run(
                            "--log-format=text",
                            "--port=" + taken.getLocalPort(),
                            "--kubeconfig=" + folder.resolve("kubeconfig")))
                    .isEqualTo(1);
        }
        assertThat(err.toString())
                .contains("busbar-sandbox: cannot listen on 127.0.0.1:", ": Address already in use")
                .doesNotContain("\tat ");
    }

    private static SandboxOptions options(String... arguments) {
        CommandLine line = Main.line();
        line.parseArgs(arguments);
        SandboxCommand command = line.getCommand();
        return command.chosen(SandboxOptions.defaults());
    }

    private int run(String... arguments) {
        CommandLine line = Main.line();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }
}

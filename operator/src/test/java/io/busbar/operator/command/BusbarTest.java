package io.busbar.operator.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.busbar.operator.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BusbarTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int busbar(Map<String, String> environment, String... args) {
        return Main.program()
                .commandLine(environment, new PrintWriter(out, true), new PrintWriter(err, true))
                .execute(args);
    }

    @Test
    void says_all_that_is_wrong_at_once() {
        int code = busbar(
                Map.of("BUSBAR_COLOUR", "red"),
                "--webhook-port=99999",
                "--no-such-flag",
                "--resync-interval=soon",
                "--operators=sidecarset,statefulset",
                "--webhook-certs=magic");
        assertThat(code).isEqualTo(2);
        assertThat(err.toString())
                .contains("--webhook-port")
                .contains("'99999' is not allowed; allowed: a port from 0 to 65535")
                .contains("--no-such-flag")
                .contains("--resync-interval")
                .contains("'soon' is not allowed")
                .contains("--webhook-certs")
                .contains("mounted, self-signed")
                .contains("'statefulset' is not allowed; allowed: sidecarset")
                .contains("Unknown environment variable: 'BUSBAR_COLOUR'")
                .doesNotContain("\tat ");
    }

    @Test
    void names_its_commands_to_who_asks_for_another() {
        assertThat(busbar(Map.of(), "start", "--leader-elect")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("busbar: command: 'start' is not allowed; allowed: "
                        + "run, dev, sandbox, explain-injection, backup-object, init, create, edit, update, blueprint,"
                        + " blueprint-operator, manifests, scorecard, shards, top, reset-conversion, version%n"
                                .formatted());
    }

    @Test
    void hands_all_words_to_the_other_operator_of_the_jar(@TempDir Path folder) throws Exception {
        assertThat(busbar(
                        Map.of("BLUEPRINT_OPERATOR_COLOUR", "red"),
                        "blueprint-operator",
                        "--leader-elect",
                        "--no-such-flag",
                        "--default-service-account=web"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("blueprint-operator: Unknown option: '--no-such-flag'")
                .contains("blueprint-operator: Unknown environment variable: 'BLUEPRINT_OPERATOR_COLOUR'")
                .doesNotContain("default-service-account")
                .endsWith("blueprint-operator: see blueprint-operator --help%n".formatted());

        assertThat(busbar(Map.of(), "blueprint-operator", "manifests", "--output=" + folder))
                .isZero();
        assertThat(Files.readString(folder.resolve("config/manager/manager.yaml")))
                .contains("- blueprint-operator\n        - --leader-elect\n");
        assertThat(folder.resolve("config/crd/bases/blueprints.busbar.io_blueprints.yaml"))
                .exists();
    }

    @Test
    void makes_a_project_and_adds_to_it(@TempDir Path folder) {
        String where = "--folder=" + folder.resolve("shop");
        assertThat(busbar(Map.of(), "init", "--domain=example.com", where)).isZero();
        assertThat(busbar(Map.of(), "create", "api", "--group=shop", "--version=v1", "--kind=Crate", where))
                .isZero();
        assertThat(folder.resolve("shop/src/main/java/com/example/shop/crate/v1/CrateSpec.java"))
                .exists();
        assertThat(err.toString()).isEmpty();

        assertThat(busbar(Map.of(), "create", "api", "--kind=crate", "--kinds", "--namespaced=maybe", where))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("'maybe' is not a boolean")
                .contains("busbar: Missing required option: '--version=VERSION'")
                .contains("busbar: Unknown option: '--kinds'");
        assertThat(busbar(Map.of(), "create", "api", "--version=1", "--kind=crate", where))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("busbar: --version: '1' is not allowed; allowed: v1,")
                .contains("busbar: --kind: 'crate' is not allowed; allowed: a word that begins with a capital");
    }

    @Test
    void takes_flags_from_the_environment() {
        int code = busbar(Map.of("BUSBAR_METRICS_BIND_ADDRESS", "nowhere"));
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains("--metrics-bind-address").contains("'nowhere' is not allowed");
    }

    @Test
    void overlooks_what_a_kubelet_sets_for_services_named_like_it() {
        int code = busbar(
                Map.of(
                        "BUSBAR_WEBHOOK_SERVICE_SERVICE_HOST", "10.0.0.1",
                        "BUSBAR_WEBHOOK_SERVICE_SERVICE_PORT", "443",
                        "BUSBAR_WEBHOOK_SERVICE_PORT", "tcp://10.0.0.1:443",
                        "BUSBAR_WEBHOOK_SERVICE_PORT_443_TCP_ADDR", "10.0.0.1"),
                "version");
        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
    }

    @ParameterizedTest
    @MethodSource("kubeconfigs")
    void names_the_kubeconfig_that_leads_to_no_cluster(String content, String allowed, @TempDir Path folder)
            throws IOException {
        Path file = Files.writeString(folder.resolve("config"), content);
        assertThat(busbar(Map.of(), "--kubeconfig=" + file)).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("busbar: kubeconfig: '" + file + "' is not allowed; allowed: " + allowed)
                .hasLineCount(1);
    }

    static Stream<Arguments> kubeconfigs() {
        String cluster = """
                clusters: [{name: c, cluster: {server: "https://h"}}]
                contexts: [{name: here, context: {cluster: c}}]
                """;
        return Stream.of(
                arguments("", "a file that is there"),
                arguments("hello", "a readable kubeconfig (Cannot construct"),
                arguments("clusters: [", "a readable kubeconfig (while parsing a flow node in reader, line 1"),
                arguments(cluster + "current-context: elsewhere", "a file that is there, with a current context"),
                arguments(
                        cluster.replace("server:", "certificate-authority: /nowhere/ca.crt, server:")
                                + "current-context: here",
                        "certificates and keys that can be read (NoSuchFileException: /nowhere/ca.crt)"));
    }

    @Test
    void names_the_kubeconfig_that_is_not_there(@TempDir Path folder) {
        assertThat(busbar(Map.of(), "--kubeconfig=" + folder.resolve("nowhere")))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("nowhere' is not allowed; allowed: ")
                .hasLineCount(1);
    }

    @Test
    void names_the_url_that_a_webhook_cannot_have() {
        int code = busbar(Map.of(), "--webhook-url=http://127.0.0.1/path");
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains("--webhook-url: 'http://127.0.0.1/path' is not allowed; allowed: https://");
    }

    @Test
    void says_what_cannot_be_a_collector_nor_a_part() {
        int code = busbar(
                Map.of(), "--tracing-endpoint=collector:4318", "--tracing-sampling-ratio=1.5", "--webhook-port=99999");
        assertThat(code).isEqualTo(2);
        assertThat(err.toString())
                .contains("'collector:4318' is not allowed; allowed: http[s]://HOST[:PORT][/PATH]")
                .contains("'1.5' is not allowed; allowed: a number from 0 to 1");
    }

    @Test
    void names_the_durations_that_leave_a_leader_no_time() {
        int code = busbar(
                Map.of(),
                "--leader-election-lease-duration=10s",
                "--leader-election-retry-period=9s",
                "--leader-elect");
        assertThat(code).isEqualTo(2);
        assertThat(err.toString())
                .contains(
                        "--leader-election-lease-duration: '10.0s' is not allowed; allowed: at least 1.1 times --leader-el")
                .contains("--leader-election-renew-deadline: '10.0s' is not allowed; allowed: more than 1.2 times");
    }

    @Test
    void says_which_rates_of_requests_there_are() {
        int code = busbar(Map.of(), "--kube-api-qps=-5", "--kube-api-burst=0");
        assertThat(code).isEqualTo(2);
        assertThat(err.toString())
                .contains("--kube-api-qps")
                .contains("'-5' is not allowed; allowed: a number from 0.01 to 100000")
                .contains("--kube-api-burst")
                .contains("'0' is not allowed; allowed: a whole number from 1 to 100000");
    }

    @Test
    void a_burst_is_nothing_without_a_rate() {
        assertThat(busbar(Map.of(), "--kube-api-burst=30")).isEqualTo(2);
        assertThat(err.toString()).contains("--kube-api-burst: '30' is not allowed; allowed: only with --kube-api-qps");
    }

    @Test
    void says_what_a_sandbox_cannot_be() {
        int code = busbar(Map.of(), "sandbox", "--nodes=many", "--kubernetes-version=latest", "--port=-1");
        assertThat(code).isEqualTo(2);
        assertThat(err.toString())
                .contains("'many' is not allowed; allowed: a number from 0 to 1000")
                .contains("'latest' is not allowed; allowed: a version such as v1.36.2")
                .contains("'-1' is not allowed; allowed: a port from 0 to 65535");
    }

    @Test
    void names_the_folder_that_a_sandbox_cannot_use(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("taken"));
        int code = busbar(Map.of(), "sandbox", "--data-dir=" + file, "--kubeconfig=" + folder.resolve("kubeconfig"));
        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).startsWith("busbar: " + file + " is no folder that can be written to");
    }

    @Test
    void prints_its_version() {
        assertThat(busbar(Map.of(), "version")).isZero();
        assertThat(out.toString()).contains("busbar ").contains("java ");
    }
}

package io.busbar.operator.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.operator.Main;
import io.busbar.operator.bundled.Bundled;
import io.busbar.runtime.assembly.Installation;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScorecardCommandTest {

    /** Tests run in their module's folder. */
    private static final Path MANIFESTS = Path.of("..", "manifests");

    private static final Path OWN = MANIFESTS.resolve("bundle");
    private static final Path FOREIGN = MANIFESTS.resolve("src/test/resources/io/busbar/manifests/scorecard/keda");
    private static final Path FAULTY = MANIFESTS.resolve("src/test/resources/io/busbar/manifests/scorecard/etcd");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void passes_its_own_bundle_and_says_what_needs_a_cluster() {
        assertThat(scorecard(OWN)).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .contains("State: not run", "it needs a cluster: --sandbox, or --cluster for that of KUBECONFIG")
                .endsWith("\n17 results: 6 pass, 11 not run\n");
    }

    @Test
    void brings_its_own_samples_to_where_they_are_ready_on_a_sandbox() {
        String ofDatabases = "MySQLCluster,MySQLBackup,MySQLRestore,MySQLDatabase,MySQLUser,MySQLGrant";
        assertThat(scorecard(OWN, "--sandbox", "-l", "suite=live,kind notin (" + ofDatabases + ")"))
                .as(out.toString())
                .isZero();
        assertThat(out.toString()).endsWith("\n15 results: 15 pass\n");
    }

    @Test
    void does_not_pass_what_would_need_a_container_and_says_why() throws JsonProcessingException {
        assertThat(scorecard(OWN, "--sandbox", "-l", "kind=MySQLCluster", "-w", "5s", "-o", "json"))
                .isOne();
        JsonNode results = new ObjectMapper().readTree(out.toString()).at("/items/0/status/results");

        assertThat(states(results))
                .containsExactly("live-sample-accepted pass", "live-status-written pass", "live-sample-ready error");
        assertThat(results.at("/2/errors/0").asText())
                .startsWith("not run: no container runs on a sandbox, so whether it would become ready is not known: ");
    }

    @Test
    void does_not_pass_samples_of_an_operator_that_is_not_there() throws JsonProcessingException {
        assertThat(scorecard(FOREIGN, "--sandbox", "-l", "suite=live", "-o", "json"))
                .isOne();
        JsonNode items = new ObjectMapper().readTree(out.toString()).path("items");

        assertThat(items).hasSize(2);
        assertThat(items)
                .allSatisfy(item -> assertThat(states(item.at("/status/results")))
                        .containsExactly(
                                "live-sample-accepted pass", "live-status-written error", "live-sample-ready error"));
        assertThat(items.at("/0/status/results/1/errors/0").asText())
                .isEqualTo(
                        "not run: the operator of this bundle does not run: a sandbox runs no container, and busbar is"
                                + " another operator");
    }

    @Test
    void says_of_a_cluster_which_deployment_it_lacks_and_leaves_nothing_there(@TempDir Path temporary) {
        Path kubeconfig = temporary.resolve("config");
        try (Sandbox cluster = Sandbox.start(SandboxOptions.defaults().withKubeconfig(kubeconfig));
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(Config.fromKubeconfig(cluster.kubeconfig()))
                        .build()) {
            Installation.install(client, Bundled.operator());
            int namespaces = client.namespaces().list().getItems().size();

            assertThat(scorecard(
                            OWN,
                            "--cluster",
                            "--kubeconfig=" + kubeconfig,
                            "-l",
                            "kind in (PodSet,Guestbook)",
                            "-w",
                            "1s"))
                    .isOne();
            assertThat(out.toString())
                    .contains("the operator of this bundle does not run in the cluster: no Deployment"
                            + " busbar-controller-manager has a Pod that is available")
                    .endsWith("\n6 results: 2 pass, 4 not run\n");
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() ->
                            assertThat(client.namespaces().list().getItems()).hasSize(namespaces));
        }
    }

    @Test
    void tells_that_the_api_server_refuses_a_definition_and_so_its_sample() {
        assertThat(scorecard(FAULTY, "--sandbox", "-l", "kind=EtcdCluster")).isOne();
        assertThat(out.toString())
                .contains("\tName: live-sample-accepted\n\tState: fail\n")
                .contains("the definition etcdclusters.etcd.database.coreos.com is refused: ");
    }

    @Test
    void fails_on_a_bundle_with_faults_and_runs_what_is_selected() {
        assertThat(scorecard(FAULTY, "-l", "suite=olm,test!=olm-bundle-validation-test"))
                .isOne();
        assertThat(out.toString()).endsWith("\n4 results: 4 fail\n");
    }

    @Test
    void lists_without_running() {
        assertThat(scorecard(FAULTY, "--list", "-l", "suite=basic")).isZero();
        assertThat(out.toString())
                .contains("\"test\":\"basic-check-spec-test\"")
                .doesNotContain("State")
                .endsWith("\n1 test\n");
    }

    @Test
    void refuses_what_is_no_bundle_no_selector_and_two_clusters(@TempDir Path empty) {
        assertThat(scorecard(empty.resolve("absent"))).isEqualTo(2);
        assertThat(scorecard(OWN, "-l", "suite in olm")).isEqualTo(2);
        assertThat(scorecard(OWN, "--sandbox", "--cluster")).isEqualTo(2);
        assertThat(scorecard(OWN, "-o", "xml")).isEqualTo(2);
        assertThat(err.toString())
                .contains("DIR: '" + empty.resolve("absent") + "' is not allowed; allowed: a folder that is there")
                .contains("--selector: 'suite in olm' is not allowed; allowed: a label selector, such as suite=olm")
                .contains("--cluster: '--sandbox --cluster' is not allowed; allowed: one of both")
                .contains("xml")
                .doesNotContain("\tat ");
    }

    @Test
    void names_the_server_that_does_not_answer(@TempDir Path folder) throws IOException {
        Path kubeconfig = Files.writeString(folder.resolve("config"), """
                clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
                contexts: [{name: here, context: {cluster: c}}]
                current-context: here
                """);

        assertThat(scorecard(OWN, "--cluster", "--kubeconfig=" + kubeconfig)).isOne();
        assertThat(err.toString()).isEqualTo("busbar: API server https://127.0.0.1:1/: cannot connect%n".formatted());
    }

    private static List<String> states(JsonNode results) {
        List<String> states = new ArrayList<>();
        results.forEach(result -> states.add(
                result.path("name").asText() + " " + result.path("state").asText()));
        return states;
    }

    private int scorecard(Path bundle, String... more) {
        List<String> words = new ArrayList<>(List.of("scorecard", bundle.toString()));
        words.addAll(List.of(more));
        PrintWriter printed = new PrintWriter(out, true);
        return Main.program()
                .commandLine(Map.of(), printed, new PrintWriter(err, true))
                .execute(words.toArray(String[]::new));
    }
}

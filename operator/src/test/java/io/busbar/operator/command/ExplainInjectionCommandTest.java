package io.busbar.operator.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainInjectionCommandTest {

    private static final String SET = """
            ---
            apiVersion: apps.kruise.io/v1alpha1
            kind: SidecarSet
            metadata: {name: %s}
            spec:
              selector: {matchLabels: {app: %s}}
              containers: [{name: %s-agent, image: "agent:1"}]
              %s
            """;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path pod = Path.of("");
    private Path sets = Path.of("");

    @BeforeEach
    void write_files() throws IOException {
        pod = write("pod.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: web-1, namespace: shop, labels: {app: web}}
                spec: {containers: [{name: web, image: "web:1"}]}
                """);
        sets = write(
                "sets.yaml",
                SET.formatted("logs", "web", "logs", "")
                        + SET.formatted("bank", "bank", "bank", "")
                        + SET.formatted("paused", "web", "paused", "injectionStrategy: {paused: true}")
                        + SET.formatted("team", "web", "team", "namespaceSelector: {matchLabels: {team: harbor}}")
                        + SET.formatted("there", "web", "there", "namespace: elsewhere")
                        + "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: orchard}}\n");
    }

    @Test
    void names_the_server_that_does_not_answer() throws IOException {
        Path kubeconfig = write("config", """
                clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
                contexts: [{name: here, context: {cluster: c}}]
                current-context: here
                """);

        assertThat(busbar("explain-injection", "-f", pod.toString(), "--kubeconfig=" + kubeconfig))
                .isOne();
        assertThat(err.toString()).isEqualTo("busbar: API server https://127.0.0.1:1/: cannot connect%n".formatted());
    }

    @Test
    void tells_of_each_set_whether_it_matches_and_why_not() {
        assertThat(explain(pod)).isZero();

        assertThat(out.toString().lines())
                .contains(
                        "bank    does not match: the Pod's label app is web, wanted: bank",
                        "logs    matches, and is injected: the present version",
                        "paused  matches, but is not injected: its injection is paused",
                        "team    does not match: the namespace's label team is orchard, wanted: harbor",
                        "there   does not match: the namespace's label kubernetes.io/metadata.name is shop, wanted: elsewhere");
    }

    @Test
    void shows_how_the_pod_would_change() {
        explain(pod);

        assertThat(out.toString().lines())
                .contains("--- Pod as written", "+++ Pod as injected")
                .anyMatch(line -> line.startsWith("+") && line.contains("kruise.io/sidecarset-injected-list"))
                .anyMatch(line -> line.startsWith("+") && line.contains("name: \"logs-agent\""))
                .noneMatch(line -> line.startsWith("-") && line.contains("web:1"));
    }

    @Test
    void takes_the_template_of_a_workload_and_another_namespace() throws IOException {
        Path deployment = write("deployment.yaml", """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  template:
                    metadata: {labels: {app: web}}
                    spec: {containers: [{name: web, image: "web:1"}]}
                """);

        explain(deployment, "-n", "elsewhere");

        assertThat(out.toString())
                .contains("there   matches, and is injected")
                .contains("team    does not match: the namespace's label team is absent, wanted: harbor");
    }

    @Test
    void tells_why_a_pod_would_be_refused() throws IOException {
        sets = write(
                "pinned.yaml",
                SET.formatted("logs", "web", "logs", "injectionStrategy: {revision: {customVersion: v1}}"));

        explain(pod);

        assertThat(out.toString())
                .contains("logs  matches, and refuses the Pod: SidecarSet logs cannot be injected:"
                        + " no ControllerRevision of custom version v1")
                .contains("The Pod is refused: ");
    }

    @Test
    void names_a_file_without_a_pod() throws IOException {
        assertThat(explain(write("none.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--filename").contains("a file with a Pod");
    }

    private int explain(Path file, String... more) {
        String[] arguments = new String[more.length + 3];
        arguments[0] = "explain-injection";
        arguments[1] = "--filename=" + file;
        arguments[2] = "--sets=" + sets;
        System.arraycopy(more, 0, arguments, 3, more.length);
        return busbar(arguments);
    }

    private int busbar(String... arguments) {
        return Main.program()
                .commandLine(Map.of(), new PrintWriter(out, true), new PrintWriter(err, true))
                .execute(arguments);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}

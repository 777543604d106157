package io.busbar.sandbox.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.busbar.sandbox.Sandbox;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** kubectl as it is found on the PATH, or named by the environment variable KUBECTL; skipped where there is none. */
class KubectlTest {

    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: web
            spec:
              replicas: 2
              selector:
                matchLabels: {app: web}
              template:
                metadata:
                  labels: {app: web}
                spec:
                  containers:
                  - name: web
                    image: example/web:1
            """;

    @TempDir
    static Path directory;

    @AutoClose
    private static final Sandbox SANDBOX = Sandbox.start();

    private static String kubectl = "";
    private static Path kubeconfig;

    private String namespace = "";

    @BeforeAll
    static void find() throws IOException {
        kubeconfig = Files.writeString(directory.resolve("kubeconfig"), SANDBOX.kubeconfig());
        kubectl = Stream.concat(
                        Stream.ofNullable(System.getenv("KUBECTL")),
                        Stream.of(System.getenv("PATH").split(":", -1)).map(folder -> folder + "/kubectl"))
                .filter(path -> Files.isExecutable(Path.of(path)))
                .findFirst()
                .orElse("");
        assumeTrue(!kubectl.isEmpty(), "kubectl is neither on the PATH nor named by KUBECTL");
    }

    @BeforeEach
    void makeNamespace(TestInfo test) throws Exception {
        namespace = test.getTestMethod().orElseThrow().getName().replace('_', '-');
        kubectl("create", "namespace", namespace);
    }

    @Test
    void gets_in_all_forms() throws Exception {
        kubectl("create", "configmap", "a", "--from-literal=k=v");
        kubectl("label", "configmap", "a", "tier=gold");
        assertThat(kubectl("get", "configmaps", "a")).containsPattern("NAME\\s+DATA\\s+AGE\\s+a\\s+1");
        assertThat(kubectl("get", "cm", "a", "-o", "yaml")).contains("  k: v", "kind: ConfigMap");
        assertThat(kubectl("get", "cm", "a", "-o", "jsonpath={.data.k}")).isEqualTo("v");
        assertThat(kubectl("get", "cm", "-l", "tier=gold", "-o", "custom-columns=WHO:.metadata.name,K:.data.k"))
                .containsPattern("WHO\\s+K\\s+a\\s+v");
        assertThat(kubectl("get", "nodes", "-o", "wide")).contains("INTERNAL-IP", "10.0.0.1");
        assertThat(fails("get", "cm", "nobody")).contains("(NotFound)", "configmaps \"nobody\" not found");
    }

    @Test
    void watches() throws Exception {
        Process watch =
                start(List.of("get", "configmaps", "--watch", "--field-selector", "metadata.name=told", "-o", "name"));
        try (BufferedReader lines = watch.inputReader(StandardCharsets.UTF_8)) {
            CompletableFuture<String> line = CompletableFuture.supplyAsync(() -> next(lines));
            kubectl("create", "configmap", "told");
            assertThat(line.get(60, TimeUnit.SECONDS)).isEqualTo("configmap/told");
        } finally {
            watch.destroy();
        }
    }

    @Test
    void applies_on_the_client_and_sees_what_would_change() throws Exception {
        Path file = file("deployment.yaml", DEPLOYMENT);
        assertThat(kubectl("apply", "-f", file.toString())).isEqualTo("deployment.apps/web created");
        assertThat(kubectl("apply", "-f", file.toString())).isEqualTo("deployment.apps/web unchanged");
        Path changed = file("changed.yaml", DEPLOYMENT.replace("web:1", "web:2"));
        if (onPath("diff")) {
            assertThat(run(1, List.of("diff", "-f", changed.toString())))
                    .containsPattern("-\\s+- image: example/web:1")
                    .containsPattern("\\+\\s+- image: example/web:2");
        }
        assertThat(kubectl("apply", "-f", changed.toString())).isEqualTo("deployment.apps/web configured");
        assertThat(kubectl("get", "deployment", "web", "-o", "jsonpath={.spec.template.spec.containers[0].image}"))
                .isEqualTo("example/web:2");
        assertThat(kubectl("apply", "--dry-run=server", "-f", file.toString())).contains("configured (server dry run)");
    }

    @Test
    void applies_on_the_server_with_conflicts() throws Exception {
        Path file = file("server-side.yaml", DEPLOYMENT);
        assertThat(kubectl("apply", "--server-side", "-f", file.toString())).contains("serverside-applied");
        Path changed = file("other.yaml", DEPLOYMENT.replace("replicas: 2", "replicas: 5"));
        assertThat(fails("apply", "--server-side", "--field-manager=other", "-f", changed.toString()))
                .contains("conflict", ".spec.replicas");
        kubectl("apply", "--server-side", "--field-manager=other", "--force-conflicts", "-f", changed.toString());
        assertThat(kubectl("get", "deployment", "web", "-o", "jsonpath={.spec.replicas}"))
                .isEqualTo("5");
    }

    @Test
    void autoscales() throws Exception {
        kubectl("create", "deployment", "web", "--image=example/web:1");
        assertThat(kubectl("autoscale", "deployment", "web", "--min=2", "--max=5", "--cpu-percent=70"))
                .contains("horizontalpodautoscaler.autoscaling/web autoscaled");
        assertThat(kubectl("get", "hpa", "web")).containsPattern("Deployment/web\\s+cpu: <unknown>/70%\\s+2\\s+5");
        assertThat(kubectl("describe", "hpa", "web")).contains("Deployment/web", "70%");
    }

    @Test
    void edits() throws Exception {
        kubectl("create", "configmap", "edited", "--from-literal=k=before");
        Path editor = file("editor.sh", "#!/bin/sh\nsed -i 's/before/after/' \"$1\"\n");
        assertThat(editor.toFile().setExecutable(true)).isTrue();
        assertThat(kubectl("edit", "configmap", "edited")).contains("configmap/edited edited");
        assertThat(kubectl("get", "configmap", "edited", "-o", "jsonpath={.data.k}"))
                .isEqualTo("after");
    }

    @Test
    void patches_labels_annotates_and_scales() throws Exception {
        kubectl("apply", "-f", file("scaled.yaml", DEPLOYMENT).toString());
        assertThat(kubectl("scale", "deployment", "web", "--replicas=3")).contains("scaled");
        assertThat(kubectl("get", "deployment", "web", "-o", "jsonpath={.spec.replicas}"))
                .isEqualTo("3");
        kubectl("annotate", "deployment", "web", "why=because");
        kubectl("label", "deployment", "web", "a=b");
        kubectl("label", "deployment", "web", "a-");
        assertThat(kubectl("get", "deployment", "web", "-o", "jsonpath={.metadata.annotations.why}{.metadata.labels}"))
                .startsWith("because")
                .doesNotContain("\"a\"");
        kubectl("patch", "deployment", "web", "-p", "{\"spec\":{\"paused\":true}}");
        assertThat(kubectl("describe", "deployment", "web")).contains("example/web:1", "because");
    }

    @Test
    void describes_pods_and_waits_for_them() throws Exception {
        kubectl("run", "p", "--image=example/p:1");
        assertThat(kubectl("wait", "--for=condition=Ready", "pod/p", "--timeout=20s"))
                .contains("condition met");
        assertThat(kubectl("describe", "pod", "p")).contains("Image:", "example/p:1", "Status:", "Running", "Node:");
        assertThat(kubectl("get", "pod", "p")).containsPattern("p\\s+1/1\\s+Running\\s+0");
        assertThat(kubectl("delete", "pod", "p", "--wait")).contains("deleted");
    }

    @Test
    void deletes_with_what_depends_on_it() throws Exception {
        kubectl("create", "configmap", "owner");
        String uid = kubectl("get", "configmap", "owner", "-o", "jsonpath={.metadata.uid}");
        for (String name : List.of("orphan", "dependent")) {
            kubectl("create", "configmap", name);
        }
        kubectl("patch", "configmap", "dependent", "-p", owned("owner", uid));
        kubectl("delete", "configmap", "owner", "--wait");
        while (!kubectl("get", "configmap", "dependent", "--ignore-not-found", "-o", "name")
                .isEmpty()) {
            // It goes soon; else the time limit of a test tells.
        }
        assertThat(kubectl("get", "configmap", "-o", "name")).contains("orphan").doesNotContain("dependent");
    }

    @Test
    void tells_what_the_server_has_and_allows() throws Exception {
        assertThat(kubectl("api-resources")).contains("deployments", "deploy", "apps/v1", "configmaps");
        assertThat(kubectl("auth", "can-i", "create", "pods")).contains("yes");
    }

    private static String owned(String owner, String uid) {
        return "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"name\":\"" + owner
                + "\",\"uid\":\"" + uid + "\"}]}}";
    }

    private static boolean onPath(String command) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private String kubectl(String... arguments) throws Exception {
        return run(0, List.of(arguments));
    }

    private String fails(String... arguments) throws Exception {
        return run(1, List.of(arguments));
    }

    /** @return what it says, on both channels, without the last end of a line */
    private String run(int exitCode, List<String> arguments) throws Exception {
        Process process = start(arguments);
        CompletableFuture<String> said = CompletableFuture.supplyAsync(() -> text(process));
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        String text = said.get(60, TimeUnit.SECONDS).strip();
        assertThat(process.exitValue()).as("kubectl " + arguments + ": " + text).isEqualTo(exitCode);
        return text;
    }

    private Process start(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(kubectl, "--kubeconfig=" + kubeconfig, "--cache-dir=" + directory.resolve("cache")));
        if (!namespace.isEmpty()) {
            command.add("--namespace=" + namespace);
        }
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("KUBE_EDITOR", directory.resolve("editor.sh").toString());
        return builder.start();
    }

    private static String text(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static String next(BufferedReader lines) {
        try {
            return String.valueOf(lines.readLine());
        } catch (IOException e) {
            return e.toString();
        }
    }
}

package io.busbar.sandbox.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.vertx.core.Vertx;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What kubectl tells of kinds and rights on the sandbox, where one is installed. */
class KubectlExplainTest {

    private final Vertx vertx = Vertx.vertx();

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws Exception {
        boolean installed = Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "kubectl")));
        assumeTrue(installed, "there is no kubectl");
        VertxSandbox.start(vertx, SandboxOptions.defaults().withRbac(true).withKubeconfig(folder.resolve("kubeconfig")))
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    /** Its output, and what it complains of. */
    private String kubectl(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "kubectl", "--kubeconfig=" + folder.resolve("kubeconfig"), "--cache-dir=" + folder.resolve("cache")));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    @Test
    void explains_checks_and_asks() throws Exception {
        assertThat(kubectl("explain", "pod.spec.containers"))
                .containsPattern("livenessProbe\\s+<")
                .containsPattern("args\\s+<\\[\\]string>");
        Path file = Files.writeString(folder.resolve("map.yaml"), """
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: a}
                        data: {k: v}
                        flavour: sweet
                        """);
        assertThat(kubectl("create", "-f", file.toString()))
                .contains("unknown field")
                .contains("flavour");
        assertThat(kubectl("auth", "can-i", "list", "pods")).startsWith("yes");
        assertThat(kubectl("auth", "can-i", "--list", "--as=bob")).contains("selfsubjectaccessreviews");
        assertThat(kubectl("get", "pods", "--as=bob"))
                .contains(
                        "Error from server (Forbidden): pods is forbidden: User \"bob\" cannot list resource \"pods\"");
    }
}

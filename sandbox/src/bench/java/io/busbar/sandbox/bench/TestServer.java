package io.busbar.sandbox.bench;

import io.busbar.common.internal.certificate.Pem;
import io.busbar.sandbox.Sandbox;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** One of the servers that a test can choose from, begun, and perhaps not ready. */
final class TestServer implements AutoCloseable {

    private static final String ASSETS = "KUBEBUILDER_ASSETS";
    private static final Path JAR = Path.of("standalone/target/busbar-sandbox.jar");

    /** Which there are. */
    enum Kind {
        SANDBOX("sandbox in the test's JVM", true, TestServer::sandbox),
        STANDALONE("sandbox, `java -jar`", false, () -> jar(List.of())),
        SMALL(
                "sandbox, `java -jar` with a heap of 96 MB",
                false,
                () -> jar(List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"))),
        MOCK("fabric8's mock, CRUD, in the test's JVM", true, TestServer::mock),
        CONTROL_PLANE("etcd and kube-apiserver", false, TestServer::controlPlane);

        private final String title;
        private final boolean inProcess;
        private final Start start;

        Kind(String title, boolean inProcess, Start start) {
            this.title = title;
            this.inProcess = inProcess;
            this.start = start;
        }

        String title() {
            return title;
        }

        /** Whether it runs in the JVM that starts it. */
        boolean inProcess() {
            return inProcess;
        }

        boolean isHere() {
            return switch (this) {
                case SANDBOX, MOCK -> true;
                case STANDALONE, SMALL -> Files.exists(JAR);
                case CONTROL_PLANE -> System.getenv(ASSETS) != null;
            };
        }

        TestServer start() throws Exception {
            return start.begin();
        }
    }

    private interface Start {
        TestServer begin() throws Exception;
    }

    private final KubernetesClient client;
    private final List<Process> processes;
    private final AutoCloseable rest;

    private TestServer(KubernetesClient client, List<Process> processes, AutoCloseable rest) {
        this.client = client;
        this.processes = processes;
        this.rest = rest;
    }

    /** That of an admin. */
    KubernetesClient client() {
        return client;
    }

    List<ProcessHandle> processes() {
        return processes.stream().map(Process::toHandle).toList();
    }

    private static TestServer sandbox() {
        Sandbox sandbox = Sandbox.start();
        return new TestServer(client(Config.fromKubeconfig(sandbox.kubeconfig())), List.of(), sandbox);
    }

    private static TestServer mock() {
        KubernetesMockServer mock = mockServer();
        return new TestServer(client(mock.url(""), ""), List.of(), mock::destroy);
    }

    /** fabric8's, which keeps what it is sent, and has begun. */
    static KubernetesMockServer mockServer() {
        KubernetesMockServer mock = new KubernetesMockServer(
                new Context(),
                new MockWebServer(),
                new HashMap<>(),
                new KubernetesCrudDispatcher(new ArrayList<>(List.of())),
                true);
        mock.init();
        return mock;
    }

    private static TestServer jar(List<String> options) throws Exception {
        Path kubeconfig = Files.createTempDirectory("standalone").resolve("kubeconfig");
        List<String> command = new ArrayList<>(List.of("java"));
        command.addAll(options);
        command.addAll(List.of("-jar", JAR.toString(), "--kubeconfig=" + kubeconfig));
        Process process = process(command);
        while (process.isAlive() && (!Files.exists(kubeconfig) || Files.size(kubeconfig) == 0)) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return new TestServer(client(Config.fromKubeconfig(kubeconfig.toFile())), List.of(process), () -> {});
    }

    /** With the flags that envtest gives them, but for a token where that has a client certificate. */
    private static TestServer controlPlane() throws Exception {
        String programs = Objects.requireNonNull(System.getenv(ASSETS));
        Path folder = Files.createTempDirectory("controlplane");
        Path tokens = Files.writeString(folder.resolve("tokens.csv"), "secret,admin,admin,system:masters\n");
        KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
        Path key = Files.writeString(
                folder.resolve("accounts.key"), Pem.write(keys.generateKeyPair().getPrivate()));
        String etcd = "http://127.0.0.1:" + freePort();
        int port = freePort();
        Process store = process(List.of(
                programs + "/etcd",
                "--data-dir=" + folder.resolve("etcd"),
                "--unsafe-no-fsync",
                "--listen-client-urls=" + etcd,
                "--advertise-client-urls=" + etcd,
                "--listen-peer-urls=http://127.0.0.1:0"));
        Process server = process(List.of(
                programs + "/kube-apiserver",
                "--etcd-servers=" + etcd,
                "--cert-dir=" + folder.resolve("certificates"),
                "--bind-address=127.0.0.1",
                "--secure-port=" + port,
                "--token-auth-file=" + tokens,
                "--authorization-mode=RBAC",
                "--disable-admission-plugins=ServiceAccount",
                "--service-cluster-ip-range=10.0.0.0/24",
                "--allow-privileged=true",
                "--service-account-issuer=https://127.0.0.1",
                "--service-account-key-file=" + key,
                "--service-account-signing-key-file=" + key));
        return new TestServer(client("https://127.0.0.1:" + port, "secret"), List.of(store, server), () -> {});
    }

    private static Process process(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    static KubernetesClient client(String url, String token) {
        return client(new ConfigBuilder(Config.empty())
                .withMasterUrl(url)
                .withOauthToken(token)
                .withTrustCerts(true)
                .build());
    }

    /** Without its pauses before it tries again, which would count as the server's. */
    private static KubernetesClient client(Config config) {
        config.setRequestRetryBackoffLimit(0);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    @Override
    public void close() throws Exception {
        client.close();
        rest.close();
        for (Process process : processes) {
            process.destroy();
            process.waitFor();
        }
    }
}

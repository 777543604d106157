package io.busbar.operator.image;

import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.demo.Story;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.management.CertificateFolder;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;

/** A simulated cluster in this process, and the user of the demo, who keeps an operator busy. One thread. */
final class Rehearsal implements AutoCloseable {

    /** Of the operator. */
    static final String NAMESPACE = "busbar-system";

    private final Vertx vertx = Vertx.vertx();
    private final Path kubeconfig;
    private final Path certificates;
    private final KubernetesClient client;

    /**
     * Starts the cluster, and installs what an operator needs.
     *
     * @param folder for the files that an operator reads
     */
    Rehearsal(Path folder) throws IOException {
        kubeconfig = folder.resolve("kubeconfig");
        certificates = folder.resolve("certificates");
        CertificateFolder.write(certificates);
        SandboxOptions options = SandboxOptions.defaults().withKubeconfig(kubeconfig);
        Sandbox.start(vertx, options).toCompletionStage().toCompletableFuture().join();
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                .build();
        Installation.install(client, Bundled.operator());
    }

    /** A file. */
    Path kubeconfig() {
        return kubeconfig;
    }

    /** A folder, as a Secret of cert-manager is mounted. */
    Path certificates() {
        return certificates;
    }

    /** Returns at the end of the story; fails when the operator does not do its part in time. */
    void play() throws InterruptedException {
        new Story(client, new PrintWriter(Writer.nullWriter())).tell();
    }

    @Override
    public void close() {
        client.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}

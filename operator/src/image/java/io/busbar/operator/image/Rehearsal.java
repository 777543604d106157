package io.busbar.operator.image;

import io.busbar.operator.command.Installation;
import io.busbar.operator.demo.Story;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Vertx;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;

/** A simulated cluster in this process, and the user of the demo, who keeps an operator busy. One thread. */
final class Rehearsal implements AutoCloseable {

    private final Vertx vertx = Vertx.vertx();
    private final KubernetesClient client;

    /**
     * Starts the cluster, and installs what an operator needs.
     *
     * @param kubeconfig the file to write, for the operator
     */
    Rehearsal(Path kubeconfig) {
        SandboxOptions options = SandboxOptions.defaults().withKubeconfig(kubeconfig);
        Sandbox.start(vertx, options).toCompletionStage().toCompletableFuture().join();
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                .build();
        Installation.install(client, "busbar-system");
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

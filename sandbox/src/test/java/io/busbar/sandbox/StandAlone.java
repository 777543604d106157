package io.busbar.sandbox;

import io.vertx.core.Vertx;
import java.nio.file.Path;

/** Runs a sandbox until it is interrupted: port, path of the kubeconfig. */
final class StandAlone {

    private StandAlone() {}

    public static void main(String[] arguments) {
        Vertx vertx = Vertx.vertx();
        VertxSandbox.start(
                        vertx,
                        SandboxOptions.defaults()
                                .withPort(Integer.parseInt(arguments[0]))
                                .withKubeconfig(Path.of(arguments[1])))
                .onFailure(failure -> vertx.close());
    }
}

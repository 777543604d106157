package io.busbar.sandbox.suite;

import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Vertx;
import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The server under test: a sandbox that all classes of the suite share, or the cluster of a kubeconfig that a system
 * property names.
 */
final class Server {

    private static final String KUBECONFIG = System.getProperty("busbar.cluster", "");
    /** What a sandbox says that it is; empty for the default. It behaves in one way whatever it says. */
    private static final String REPORTED = System.getProperty("busbar.sandbox.version", "");
    /** The release that a sandbox behaves as. */
    private static final int IMITATED = 36;

    private static final List<Server> STARTED = new ArrayList<>();
    private static final Server SHARED = start(false);

    private final Traces traces = new Traces();
    private final Api api;
    private final int version;

    private Server(Config config) {
        this.api = new Api(Connection.of(config), traces);
        String minor = api.get("/version").text("/minor");
        this.version = isSandbox() ? IMITATED : Integer.parseInt(minor.replaceAll("\\D.*", ""));
    }

    static Api api() {
        return SHARED.api;
    }

    /** A server that asks roles what a caller may do: another sandbox, or the same cluster. */
    static Api guarded() {
        return Guarded.SERVER.api;
    }

    /** Started when first asked for. */
    private static final class Guarded {
        static final Server SERVER = isSandbox() ? start(true) : SHARED;
    }

    static boolean isSandbox() {
        return KUBECONFIG.isEmpty();
    }

    /** The minor version of the release that it is, or behaves as. */
    static int version() {
        return SHARED.version;
    }

    /** What a server of a minor version or a later one does, or else what those before it do. */
    static <T> T since(int minor, T now, T before) {
        return version() >= minor ? now : before;
    }

    /** Deletes what was made. */
    static void sweep() {
        STARTED.forEach(server -> server.traces.sweep(server.api));
    }

    /** Waits until all that was swept is gone. */
    static void awaitNoTraces() {
        STARTED.forEach(server -> server.traces.awaitNone(server.api));
    }

    private static Server start(boolean rbac) {
        try {
            Server server = new Server(isSandbox() ? sandbox(rbac) : Config.fromKubeconfig(new File(KUBECONFIG)));
            STARTED.add(server);
            return server;
        } catch (Exception e) {
            throw new IllegalStateException("no server to test", e);
        }
    }

    private static Config sandbox(boolean rbac) throws Exception {
        SandboxOptions options =
                SandboxOptions.defaults().withBookmarks(Duration.ofMillis(200)).withRbac(rbac);
        options = REPORTED.isEmpty() ? options : options.withVersion(REPORTED);
        return Config.fromKubeconfig(VertxSandbox.start(Vertx.vertx(), options)
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS)
                .kubeconfig());
    }
}

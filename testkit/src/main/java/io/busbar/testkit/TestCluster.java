package io.busbar.testkit;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.busbar.sandbox.clock.ManualClock;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.File;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A cluster for tests: a sandbox, or one that is there.
 *
 * <p>Any thread; blocks.
 */
final class TestCluster implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 30;

    private final Optional<Sandbox> sandbox;
    private final Optional<ManualClock> clock;
    private final Supplier<Config> config;

    private TestCluster(Optional<Sandbox> sandbox, Optional<ManualClock> clock, Supplier<Config> config) {
        this.sandbox = sandbox;
        this.clock = clock;
        this.config = config;
    }

    /** Starts a sandbox. */
    static TestCluster sandbox(Vertx vertx, SandboxOptions options) {
        Sandbox started = await(VertxSandbox.start(vertx, options));
        return new TestCluster(
                Optional.of(started), options.clock(), () -> Config.fromKubeconfig(started.kubeconfig()));
    }

    /**
     * @param kubeconfig empty for where such a file is looked for by all
     * @throws IllegalStateException when there is none
     */
    static TestCluster existing(Optional<Path> kubeconfig) {
        return new TestCluster(Optional.empty(), Optional.empty(), () -> Config.fromKubeconfig(file(kubeconfig)));
    }

    private static File file(Optional<Path> kubeconfig) {
        File file = kubeconfig
                .map(Path::toFile)
                .or(() -> Optional.ofNullable(System.getenv("KUBECONFIG"))
                        .filter(paths -> !paths.isBlank())
                        .map(paths -> new File(paths.split(File.pathSeparator, 2)[0])))
                .orElseGet(() -> new File(System.getProperty("user.home"), ".kube/config"));
        if (!file.isFile()) {
            throw new IllegalStateException(
                    OperatorExtension.EXISTING + " is true, but there is no kubeconfig at " + file
                            + ": set the environment variable KUBECONFIG, or " + OperatorExtension.KUBECONFIG
                            + ", to the path of one");
        }
        return file;
    }

    /** A new one each time, of an admin. */
    Config config() {
        return config.get();
    }

    Optional<Sandbox> sandbox() {
        return sandbox;
    }

    Optional<ManualClock> clock() {
        return clock;
    }

    @Override
    public void close() {
        sandbox.ifPresent(Sandbox::close);
    }

    /**
     * For plain threads.
     *
     * @throws CompletionException with its failure
     */
    static <T> T await(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}

package io.busbar.testkit;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.busbar.sandbox.clock.ManualClock;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.File;
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

    /** One that is there. */
    static TestCluster existing(File kubeconfig) {
        return new TestCluster(Optional.empty(), Optional.empty(), () -> Config.fromKubeconfig(kubeconfig));
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

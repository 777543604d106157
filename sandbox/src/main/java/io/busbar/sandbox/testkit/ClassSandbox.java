package io.busbar.sandbox.testkit;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The sandbox of a test class, and what was made for it.
 *
 * <p>Any thread, but JUnit uses one at a time for a class that asks for parameters.
 */
final class ClassSandbox implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 30;

    private final Sandbox sandbox;
    private final SandboxOptions options;
    private final Deque<Runnable> undo = new ArrayDeque<>();
    private @Nullable Path kubeconfig;
    private @Nullable Object client;

    private ClassSandbox(Sandbox sandbox, SandboxOptions options) {
        this.sandbox = sandbox;
        this.options = options;
    }

    static ClassSandbox start(Vertx vertx, SandboxOptions options) {
        return new ClassSandbox(await(VertxSandbox.start(vertx, options)), options);
    }

    Sandbox sandbox() {
        return sandbox;
    }

    SandboxOptions options() {
        return options;
    }

    /** What happened lately, or why that cannot be told. */
    String report() {
        try {
            return sandbox.report();
        } catch (IllegalStateException e) {
            return "no report: " + e.getMessage();
        }
    }

    synchronized Path kubeconfig() {
        if (kubeconfig == null) {
            try {
                Path file = Files.createTempFile("sandbox-", ".kubeconfig");
                undo.push(() -> delete(file));
                kubeconfig = Files.writeString(file, sandbox.kubeconfig());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return kubeconfig;
    }

    /** @return a client of fabric8, whose type this class does not name */
    synchronized Object client() {
        if (client == null) {
            Object opened = Fabric8.client(sandbox.kubeconfig());
            undo.push(() -> Fabric8.close(opened));
            client = opened;
        }
        return client;
    }

    @Override
    public void close() {
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
        sandbox.close();
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof TimeoutException
                    ? new IllegalStateException("the sandbox did not answer within " + PATIENCE_SECONDS + " s", e)
                    : e;
        }
    }
}

package io.busbar.sandbox;

import io.busbar.sandbox.faults.Faults;
import io.busbar.sandbox.http.ApiRequest;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes API server in this JVM, with simulated nodes.
 *
 * <pre>
 *   try (Sandbox sandbox = Sandbox.start()) {
 *       KubernetesClient client = new KubernetesClientBuilder()
 *               .withConfig(Config.fromKubeconfig(sandbox.kubeconfig())).build();
 *   }
 * </pre>
 *
 * <p>Real HTTP: kubectl and any client work with it. Everything is in memory, and gone when it is closed unless an
 * option names a folder to keep it in. What it does not imitate is told by this package's description. Its threads
 * keep no JVM alive. On a Vertx of your own, {@link VertxSandbox} starts it.
 *
 * <p>Any thread. What blocks ({@code start}, {@link #report}, {@link #close}) does so for 30 seconds at most, and is an
 * {@link IllegalStateException} on an event loop, when the time is over, and when the thread is interrupted.
 */
public final class Sandbox implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 30;

    private final Vertx vertx;
    private final String deployment;
    private final SandboxVerticle.Started started;
    private final String url;
    private final String token;
    private final String authority;
    private final boolean alone;

    private @Nullable CompletableFuture<Void> closed;
    private @Nullable CompletableFuture<Void> ended;

    /** @param alone whether the Vertx is this sandbox's own, and ends with it */
    Sandbox(
            Vertx vertx,
            boolean alone,
            String deployment,
            SandboxVerticle.Started started,
            String url,
            String token,
            String authority) {
        this.vertx = vertx;
        this.alone = alone;
        this.deployment = deployment;
        this.started = started;
        this.url = url;
        this.token = token;
        this.authority = authority;
    }

    /** Starts one with {@link SandboxOptions#defaults()}. */
    public static Sandbox start() {
        return start(SandboxOptions.defaults());
    }

    /**
     * Starts one. It is ready, namespaces and nodes included, when this returns.
     *
     * @throws IllegalStateException when it cannot start, such as on a port that is taken; the cause says why
     */
    public static Sandbox start(SandboxOptions options) {
        mayBlock();
        Vertx own = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setUseDaemonThread(true)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        try {
            return await(jdk(VertxSandbox.start(own, true, options)));
        } catch (RuntimeException failure) {
            own.close();
            throw failure;
        }
    }

    /** Such as {@code https://127.0.0.1:34567}, without a slash at the end. */
    public String url() {
        return url;
    }

    /** The bearer token of the cluster's admin. */
    public String token() {
        return token;
    }

    /** The certificate of the CA that signed the server's, in PEM; empty without TLS. */
    public String certificateAuthority() {
        return authority;
    }

    /** A kubeconfig, in YAML, for an admin. */
    public String kubeconfig() {
        return kubeconfig("admin", token);
    }

    /**
     * One for a user, with a token of its own: with RBAC, who may do what roles say. It is not known after a restart.
     */
    public String kubeconfig(String user, List<String> groups) {
        return kubeconfig("user", started.users().add(user, groups));
    }

    private String kubeconfig(String user, String token) {
        String trust = authority.isEmpty()
                ? ""
                : "\n    certificate-authority-data: "
                        + Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.US_ASCII));
        return """
                apiVersion: v1
                kind: Config
                current-context: sandbox
                clusters:
                - name: sandbox
                  cluster:
                    server: %s%s
                users:
                - name: %s
                  user:
                    token: %s
                contexts:
                - name: sandbox
                  context:
                    cluster: sandbox
                    user: %s
                """.formatted(url, trust, user, token, user);
    }

    /**
     * Sends calls for webhooks of a Service to an address, such as a port of this JVM; who answers there needs the
     * certificate of the Service. It takes the place of the one before, and the Service need not be there.
     *
     * @param service {@code namespace/name}; all its ports lead there
     */
    public void route(String service, InetSocketAddress to) {
        started.services().add(service, to);
    }

    /** What can be made to go wrong with it. */
    public Faults faults() {
        return started.faults();
    }

    /** The latest requests that were answered, watches included, oldest first. */
    public List<ApiRequest> requests() {
        return started.running().requests().latest();
    }

    /**
     * In words, what happened lately: the requests, and the Events that there are. For a person to read.
     *
     * @throws IllegalStateException also when it is closed
     */
    public String report() {
        mayRun();
        return await(jdk(started.running().report()));
    }

    private synchronized void mayRun() {
        if (closed != null) {
            throw new IllegalStateException("the sandbox is closed");
        }
    }

    /**
     * Stops the parts of the cluster that work by themselves, such as controllers, the scheduler and the nodes: from
     * then on objects change by requests alone. What is under way ends.
     *
     * @throws IllegalStateException also when it is closed
     */
    public void stopControllers() {
        mayRun();
        await(jdk(started.running().stopControllers()));
    }

    /** Ends it: open watches are cut, all objects are gone that are not kept in a folder. Can be called again. */
    @Override
    public void close() {
        await(closing());
        if (alone) {
            await(ending());
        }
    }

    /** Of the JDK, as one of Vert.x cannot be asked once its event loop has ended. */
    synchronized CompletableFuture<Void> closing() {
        if (closed == null) {
            boolean runs = vertx.deploymentIDs().contains(deployment); // unless its Vertx was closed before it
            closed = jdk(runs ? vertx.undeploy(deployment) : Future.succeededFuture());
        }
        return closed;
    }

    private synchronized CompletableFuture<Void> ending() {
        if (ended == null) {
            ended = jdk(vertx.close());
        }
        return ended;
    }

    private static void mayBlock() {
        if (Context.isOnEventLoopThread()) {
            throw new IllegalStateException("this blocks, which an event loop must not: use VertxSandbox there");
        }
    }

    private static <T> CompletableFuture<T> jdk(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture();
    }

    private static <T> T await(CompletableFuture<T> future) {
        mayBlock();
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new IllegalStateException(
                    Objects.requireNonNullElse(cause.getMessage(), "the sandbox failed: " + cause), cause);
        } catch (TimeoutException e) {
            throw new IllegalStateException("the sandbox did not answer within " + PATIENCE_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the sandbox worked", e);
        }
    }
}

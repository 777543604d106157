package io.busbar.sandbox;

import io.busbar.sandbox.tls.TlsIdentity;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;

/**
 * Starts and ends sandboxes on a Vertx of the caller's, without blocking.
 *
 * <p>Any thread; futures complete on the caller's context.
 */
public final class VertxSandbox {

    private VertxSandbox() {}

    /** Starts one. It is ready, namespaces and nodes included, when the future completes. */
    public static Future<Sandbox> start(Vertx vertx, SandboxOptions options) {
        return start(vertx, false, options);
    }

    /** @param alone whether the Vertx is the sandbox's own, and ends with it */
    static Future<Sandbox> start(Vertx vertx, boolean alone, SandboxOptions options) {
        return vertx.executeBlocking(() -> Foundation.lay(options), false)
                .compose(foundation -> start(vertx, alone, options, foundation));
    }

    /** As {@link Sandbox#close}, for one that was started here; the Vertx goes on. */
    public static Future<Void> close(Sandbox sandbox) {
        return Future.fromCompletionStage(sandbox.closing());
    }

    private static Future<Sandbox> start(Vertx vertx, boolean alone, SandboxOptions options, Foundation foundation) {
        SandboxVerticle verticle = new SandboxVerticle(options, foundation);
        return vertx.deployVerticle(verticle)
                .onFailure(failure -> vertx.executeBlocking(foundation::close, false))
                .compose(deployment -> {
                    SandboxVerticle.Started started = verticle.started();
                    String url = foundation.address().url(options.tls(), started.port());
                    String token = foundation.identity().token();
                    String authority =
                            foundation.tls(options).map(TlsIdentity::authority).orElse("");
                    Sandbox sandbox = new Sandbox(vertx, alone, deployment, started, url, token, authority);
                    return options.kubeconfig()
                            .map(path ->
                                    vertx.fileSystem().writeFile(path.toString(), Buffer.buffer(sandbox.kubeconfig())))
                            .orElse(Future.succeededFuture())
                            .map(written -> sandbox);
                });
    }
}

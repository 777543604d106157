package io.busbar.sandbox;

import io.busbar.sandbox.faults.Faults;
import io.busbar.sandbox.http.ApiRequest;
import io.busbar.sandbox.tls.TlsIdentity;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * A Kubernetes API server in this JVM, with simulated nodes.
 *
 * <p>Real HTTP: kubectl and any client work with it. Everything is in memory, and gone when it is closed unless an
 * option names a folder to keep it in. What it does not imitate is told by this package's description.
 *
 * <p>Any thread; futures complete on the caller's context.
 */
public final class Sandbox {

    private final Vertx vertx;
    private final String deployment;
    private final SandboxVerticle.Started started;
    private final String url;
    private final String token;
    private final String authority;

    private Sandbox(
            Vertx vertx,
            String deployment,
            SandboxVerticle.Started started,
            String url,
            String token,
            String authority) {
        this.vertx = vertx;
        this.deployment = deployment;
        this.started = started;
        this.url = url;
        this.token = token;
        this.authority = authority;
    }

    /** Starts one. It is ready, namespaces and nodes included, when the future completes. */
    public static Future<Sandbox> start(Vertx vertx, SandboxOptions options) {
        return vertx.executeBlocking(() -> Foundation.lay(options), false)
                .compose(foundation -> start(vertx, options, foundation));
    }

    private static Future<Sandbox> start(Vertx vertx, SandboxOptions options, Foundation foundation) {
        SandboxVerticle verticle = new SandboxVerticle(options, foundation);
        return vertx.deployVerticle(verticle)
                .onFailure(failure -> vertx.executeBlocking(foundation::close, false))
                .compose(deployment -> {
                    SandboxVerticle.Started started = verticle.started();
                    String url = (options.tls() ? "https://" : "http://") + options.host() + ":" + started.port();
                    String token = foundation.identity().token();
                    String authority =
                            foundation.tls(options).map(TlsIdentity::authority).orElse("");
                    Sandbox sandbox = new Sandbox(vertx, deployment, started, url, token, authority);
                    return options.kubeconfig()
                            .map(path ->
                                    vertx.fileSystem().writeFile(path.toString(), Buffer.buffer(sandbox.kubeconfig())))
                            .orElse(Future.succeededFuture())
                            .map(written -> sandbox);
                });
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
                - name: admin
                  user:
                    token: %s
                contexts:
                - name: sandbox
                  context:
                    cluster: sandbox
                    user: admin
                """.formatted(url, trust, token);
    }

    /** What can be made to go wrong with it. */
    public Faults faults() {
        return started.faults();
    }

    /** The latest requests that were answered, watches included, oldest first. */
    public List<ApiRequest> requests() {
        return started.running().requests().latest();
    }

    /** In words, what happened lately: the requests, and the Events that there are. For a person to read. */
    public Future<String> report() {
        return started.running().report();
    }

    /** Ends it: open watches are cut, all objects are gone that are not kept in a folder. */
    public Future<Void> close() {
        return vertx.undeploy(deployment);
    }
}

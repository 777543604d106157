package io.busbar.sandbox.suite;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.vertx.core.Vertx;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The server under test: a sandbox that all classes of the suite share, or the cluster that system properties name. */
final class Server {

    private static final Server SHARED = start(false);

    private final String url;
    private final String token;
    private final HttpClient http;
    private final int version;

    private Server(String url, String token, String certificate) {
        this.url = url;
        this.token = token;
        this.http = HttpClient.newBuilder()
                .sslContext(trusting(certificate))
                .connectTimeout(Duration.ofSeconds(10))
                .build();
        String minor = new Api(http, url, token).get("/version").text("/minor");
        this.version = Integer.parseInt(minor.replaceAll("\\D.*", ""));
    }

    static Api api() {
        return new Api(SHARED.http, SHARED.url, SHARED.token);
    }

    /** A server that asks roles what a caller may do: another sandbox, or the same cluster. */
    static Api guarded() {
        return new Api(Guarded.SERVER.http, Guarded.SERVER.url, Guarded.SERVER.token);
    }

    /** Started when first asked for. */
    private static final class Guarded {
        static final Server SERVER = isSandbox() ? start(true) : SHARED;
    }

    static boolean isSandbox() {
        return System.getProperty("cluster.url") == null;
    }

    /** The minor version of the release that it is. */
    static int version() {
        return SHARED.version;
    }

    private static Server start(boolean rbac) {
        try {
            String cluster = System.getProperty("cluster.url");
            if (cluster != null) {
                return new Server(
                        cluster,
                        System.getProperty("cluster.token"),
                        Files.readString(Path.of(System.getProperty("cluster.ca"))));
            }
            SandboxOptions options = SandboxOptions.defaults()
                    .withBookmarks(Duration.ofMillis(200))
                    .withRbac(rbac);
            Sandbox sandbox = Sandbox.start(Vertx.vertx(), options)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(30, TimeUnit.SECONDS);
            return new Server(sandbox.url(), sandbox.token(), sandbox.certificateAuthority());
        } catch (Exception e) {
            throw new IllegalStateException("no server to test", e);
        }
    }

    private static SSLContext trusting(String certificate) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry(
                    "ca",
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(
                                    new ByteArrayInputStream(certificate.getBytes(StandardCharsets.US_ASCII))));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.busbar.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.trace.Tracing;
import io.busbar.common.traffic.RequestGate;
import io.busbar.runtime.management.CertificateFolder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(VertxExtension.class)
class ApiClientsTest {

    private final AtomicInteger connections = new AtomicInteger();

    @Test
    void all_requests_share_the_connection_that_was_opened_for_them(
            Vertx vertx, VertxTestContext test, @TempDir Path folder) {
        serve(vertx, folder)
                .map(server -> client("https://127.0.0.1:" + server.actualPort()))
                .compose(client -> ApiClients.connect(vertx, client)
                        .compose(connected -> Future.all(
                                Stream.generate(() -> version(client)).limit(8).toList()))
                        .onComplete(answered -> client.close()))
                .onComplete(test.succeeding(answered -> test.verify(() -> {
                    assertThat(connections).hasValue(1);
                    test.completeNow();
                })));
    }

    @Test
    void a_server_that_is_not_there_is_no_failure_yet(Vertx vertx, VertxTestContext test) {
        KubernetesClient client = client("https://127.0.0.1:1");

        ApiClients.connect(vertx, client)
                .onComplete(connected -> client.close())
                .onComplete(test.succeedingThenComplete());
    }

    private Future<HttpServer> serve(Vertx vertx, Path folder) {
        return vertx.executeBlocking(() -> CertificateFolder.write(folder))
                .compose(written -> vertx.createHttpServer(new HttpServerOptions()
                                .setSsl(true)
                                .setUseAlpn(true)
                                .setKeyCertOptions(new PemKeyCertOptions()
                                        .setCertPath(folder.resolve("tls.crt").toString())
                                        .setKeyPath(folder.resolve("tls.key").toString())))
                        .connectionHandler(opened -> connections.incrementAndGet())
                        .requestHandler(request -> request.response().end("{}"))
                        .listen(0, "127.0.0.1"));
    }

    private static Future<?> version(KubernetesClient client) {
        return Future.fromCompletionStage(client.getHttpClient()
                .sendAsync(
                        client.getHttpClient()
                                .newHttpRequestBuilder()
                                .uri(client.getMasterUrl() + "version")
                                .build(),
                        byte[].class));
    }

    private static KubernetesClient client(String server) {
        return ApiClients.measured(
                new ConfigBuilder(Config.empty())
                        .withMasterUrl(server)
                        .withTrustCerts(true)
                        .build(),
                new SimpleMeterRegistry(),
                Tracing.off(),
                RequestGate.unlimited(),
                List.of());
    }
}

package io.busbar.admission.bench;

import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.certificates.ServingCertificate;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The yardstick: a bare Vert.x HTTPS server that reads each body and answers with so many bytes. */
public final class EchoServer {

    private EchoServer() {}

    public static void main(String[] arguments) {
        Buffer answer = Buffer.buffer("x".repeat(Integer.parseInt(arguments[0])));
        ServingCertificate certificate = new EphemeralCertificates(List.of("localhost")).read();
        HttpServerOptions options = new HttpServerOptions()
                .setSsl(true)
                .setUseAlpn(false)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addCertValue(Buffer.buffer(certificate.chainPem()))
                        .addKeyValue(Buffer.buffer(certificate.keyPem())));
        AtomicInteger port = new AtomicInteger();
        Vertx.vertx()
                .deployVerticle(
                        () -> new AbstractVerticle() {
                            @Override
                            public void start(Promise<Void> started) {
                                vertx.createHttpServer(options)
                                        .requestHandler(request -> request.body()
                                                .onSuccess(body -> request.response()
                                                        .putHeader("content-type", "application/json")
                                                        .end(answer)))
                                        .listen(-1, "127.0.0.1")
                                        .onSuccess(server -> port.set(server.actualPort()))
                                        .<Void>mapEmpty()
                                        .onComplete(started);
                            }
                        },
                        new DeploymentOptions().setInstances(VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE))
                .onSuccess(id -> System.out.println(ChildServer.LISTENING + port.get()))
                .onFailure(failure -> {
                    failure.printStackTrace();
                    System.exit(1);
                });
    }
}

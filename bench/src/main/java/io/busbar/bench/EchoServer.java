package io.busbar.bench;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.SelfSignedCertificate;

/** A server that sends back what it gets, over TLS, and does nothing else: as fast as a webhook on Vert.x can be. */
final class EchoServer {

    private EchoServer() {}

    /** @param arguments the port, on this machine */
    public static void main(String[] arguments) {
        Vertx vertx = Vertx.vertx();
        HttpServerOptions options = new HttpServerOptions()
                .setSsl(true)
                .setKeyCertOptions(SelfSignedCertificate.create().keyCertOptions());
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            vertx.createHttpServer(options)
                    .requestHandler(request ->
                            request.body().onSuccess(body -> request.response().end(body)))
                    .listen(Integer.parseInt(arguments[0]), "127.0.0.1")
                    .await();
        }
    }
}

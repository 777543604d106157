package io.busbar.admission.server;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRule;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Asks the server, over TLS as an API server would, to answer a review.
 *
 * <p>Any context; completes on the caller's. A new connection each time, so that the handshake is part of the check.
 */
final class SelfCheck {

    static final String PATH = "/self-check";
    static final AdmissionRule RULE = request -> AdmissionDecision.allowed();

    private static final long TIMEOUT_MILLIS = 2_000;
    private static final Set<String> ANY_ADDRESS = Set.of("0.0.0.0", "::", "[::]", "");
    private static final Buffer REVIEW = Buffer.buffer("""
            {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1",
             "request":{"uid":"self-check","operation":"CREATE","object":{"metadata":{"name":"self-check"}}}}
            """);

    private final HttpClient client;
    private final RequestOptions target;

    SelfCheck(Vertx vertx, String host, int port) {
        // Whom it talks to is known: what is checked is that the server answers, not who it is.
        this.client = vertx.createHttpClient(new HttpClientOptions()
                .setSsl(true)
                .setTrustAll(true)
                .setVerifyHost(false)
                .setUseAlpn(false)
                .setKeepAlive(false));
        this.target = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost(ANY_ADDRESS.contains(host) ? "localhost" : host)
                .setPort(port)
                .setURI(PATH)
                .setTimeout(TIMEOUT_MILLIS)
                .putHeader("content-type", "application/json");
    }

    /** Fails with the reason when there is no good answer within two seconds. */
    Future<Void> run() {
        return client.request(new RequestOptions(target))
                // Nested, so that it is on the event loop that the answer finds somebody waiting.
                .compose(request -> request.send(REVIEW).compose(SelfCheck::verdict))
                .timeout(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    }

    Future<Void> close() {
        return client.close();
    }

    private static Future<Void> verdict(HttpClientResponse response) {
        return response.body()
                .compose(body -> response.statusCode() == 200 && body.toString().contains("\"allowed\":true")
                        ? Future.<Void>succeededFuture()
                        : Future.<Void>failedFuture("the webhook server answered itself " + response.statusCode()));
    }
}

package io.busbar.admission.server;

import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/** Sends answers. One context. */
final class Responses {

    private Responses() {}

    /**
     * Completes once the client's system has taken all of it; a response whose connection is gone fails, and nobody
     * minds.
     */
    static Future<Void> send(HttpServerResponse response, Answer answer, boolean closing) {
        response.setStatusCode(answer.code()).putHeader(HttpHeaders.CONTENT_TYPE, answer.contentType());
        if (closing) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        if (answer.code() == 405) {
            response.putHeader(HttpHeaders.ALLOW, "POST");
        }
        if (answer.code() == 503) {
            // Where this is said, API servers ask again by themselves, within the webhook's timeout.
            response.putHeader(HttpHeaders.RETRY_AFTER, "1");
        }
        return response.end(answer.body());
    }
}

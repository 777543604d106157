package io.busbar.admission.server;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/** Sends answers. One context. */
final class Responses {

    private Responses() {}

    /** A response whose connection is gone fails, and nobody minds. */
    static void send(HttpServerResponse response, Answer answer, boolean closing) {
        response.setStatusCode(answer.code()).putHeader(HttpHeaders.CONTENT_TYPE, answer.contentType());
        if (closing) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        if (answer.code() == 405) {
            response.putHeader(HttpHeaders.ALLOW, "POST");
        }
        response.end(answer.body());
    }
}

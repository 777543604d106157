package io.busbar.runtime.management;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Objects;

/**
 * Lets pass those who know a token; answers 401 to others. For a server on this machine alone.
 *
 * <p>One context.
 */
record TokenHolders(String token) implements Handler<RoutingContext> {

    @Override
    public void handle(RoutingContext request) {
        String authorization = Objects.requireNonNullElse(request.request().getHeader(HttpHeaders.AUTHORIZATION), "");
        byte[] given = authorization.getBytes(StandardCharsets.UTF_8);
        byte[] right = ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
        if (MessageDigest.isEqual(given, right)) {
            request.next();
            return;
        }
        request.response()
                .setStatusCode(401)
                .putHeader("WWW-Authenticate", "Bearer")
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end("Unauthorized: the token of the printed address is needed, as Authorization: Bearer TOKEN\n");
    }
}

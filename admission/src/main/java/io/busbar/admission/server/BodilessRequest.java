package io.busbar.admission.server;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;

/**
 * A request to a server that wants no bodies, from its head to its answer.
 *
 * <p>One context.
 */
final class BodilessRequest implements OpenRequest {

    /** Of HTTP/2, where one that is late must not take the others along (RFC 9113, 7). */
    private static final long CANCEL = 8;

    private static final long LONGEST_NANOS = Duration.ofSeconds(30).toNanos();

    private final HttpServerRequest request;
    private final OpenConnections connections;
    private final long begun = System.nanoTime();

    private BodilessRequest(HttpServerRequest request, OpenConnections connections) {
        this.request = request;
        this.connections = connections;
    }

    static void begin(HttpServerRequest request, OpenConnections connections, Handler<HttpServerRequest> handler) {
        BodilessRequest begun = new BodilessRequest(request, connections);
        if (!connections.begin(request.connection(), begun)) {
            return;
        }
        if (hasBody(request)) {
            request.response().setStatusCode(413).putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8");
            if (!begun.multiplexed()) {
                request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            }
            request.response().end("a request without a body is expected\n").onComplete(told -> begun.end());
            return;
        }
        request.response().endHandler(end -> begun.finish());
        handler.handle(request);
    }

    /** Also finishes those whose answer's end was told to another. */
    @Override
    public void expire(long now) {
        if (request.response().ended()) {
            finish();
        } else if (now - begun > LONGEST_NANOS) {
            end();
        }
    }

    @Override
    public void cut() {}

    @Override
    public boolean multiplexed() {
        return request.version() == HttpVersion.HTTP_2;
    }

    private void finish() {
        connections.finished(request.connection(), this, request.response().getStatusCode() < 400);
    }

    private void end() {
        connections.finished(request.connection(), this, false);
        if (multiplexed()) {
            request.response().reset(CANCEL);
        } else {
            request.connection().close();
        }
    }

    private static boolean hasBody(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return request.headers().contains(HttpHeaders.TRANSFER_ENCODING) || (length != null && !length.equals("0"));
    }
}

package io.busbar.sandbox.http;

import io.busbar.sandbox.status.StatusException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/**
 * Reads a body, up to the real server's limit.
 *
 * <p>One context. What comes beyond the limit is read and forgotten, so that the client gets its answer.
 */
final class BodyLimit {

    static final int BYTES = 3 * 1024 * 1024;

    private final HttpServerRequest request;
    private final Buffer body = Buffer.buffer();
    private boolean tooLarge;

    BodyLimit(HttpServerRequest request) {
        this.request = request;
    }

    /** Fails with 413. */
    Future<Buffer> read() {
        Promise<Buffer> whole = Promise.promise();
        request.handler(this::append);
        request.exceptionHandler(whole::tryFail);
        request.endHandler(end -> {
            if (tooLarge) {
                whole.tryFail(new StatusException(
                        413, "RequestEntityTooLarge", "Request entity too large: limit is " + BYTES, null));
            } else {
                whole.tryComplete(body);
            }
        });
        return whole.future();
    }

    private void append(Buffer chunk) {
        if (body.length() + chunk.length() > BYTES) {
            tooLarge = true;
        } else if (!tooLarge) {
            body.appendBuffer(chunk);
        }
    }
}

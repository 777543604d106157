package io.busbar.sandbox.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/**
 * Events as lines of a response without end.
 *
 * <p>One context.
 */
final class ChunkedSink implements EventSink {

    private static final int CHUNK = 64 * 1024;

    private final HttpServerResponse response;
    private Buffer lines = Buffer.buffer();
    private boolean over;

    ChunkedSink(HttpServerResponse response) {
        this.response = response;
        response.setChunked(true);
        response.writeHead();
    }

    @Override
    public boolean isFull() {
        return over || response.writeQueueFull();
    }

    @Override
    public void send(Buffer event) {
        lines.appendBuffer(event).appendByte((byte) '\n');
        if (lines.length() >= CHUNK) {
            flush();
        }
    }

    @Override
    public void flush() {
        if (!over && lines.length() > 0) {
            response.write(lines);
            lines = Buffer.buffer();
        }
    }

    @Override
    public void end() {
        if (!over) {
            flush();
            over = true;
            response.end();
        }
    }

    @Override
    public void cut() {
        over = true;
        response.reset();
    }

    @Override
    public void onChange(Runnable drained, Runnable closed) {
        response.drainHandler(done -> drained.run());
        response.closeHandler(done -> {
            over = true;
            closed.run();
        });
        response.exceptionHandler(broken -> {
            over = true;
            closed.run();
        });
        response.endHandler(done -> closed.run());
    }
}

package io.busbar.sandbox.http;

import io.busbar.sandbox.faults.Answer;
import io.busbar.sandbox.faults.Answer.Ending;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.impl.HttpServerConnection;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Brings answers to clients, or fails to, as {@link Answer} says.
 *
 * <p>One context. A GOAWAY is kube-apiserver's, that is Go's: {@code http2.serverConn} sends it when a handler answers
 * with {@code Connection: close}, names the latest stream that it knows of, and ignores streams with higher numbers.
 */
final class Delivery {

    private static final long NO_ERROR = 0;
    /** Names the latest stream that came. */
    private static final int LATEST = -1;
    /** Go's {@code goAwayTimeout}: who closes at once while the client still sends makes it lose the answer. */
    private static final long GOODBYE_MILLIS = 1_000;
    /** As long as the longest watch may go on. */
    private static final long LONGEST_WATCH_HOURS = 24;

    /** What a connection of HTTP/2 is at. */
    private static final class Streams {
        /** The highest number of a request that was carried out, which no GOAWAY may say was not. */
        private int highest;
        /** Requests with higher numbers are not carried out. */
        private int last = Integer.MAX_VALUE;
        /** Whether the client was told to go away. */
        private boolean gone;
    }

    private final Vertx vertx;
    private final Map<HttpConnection, Streams> open = new HashMap<>();

    Delivery(Vertx vertx) {
        this.vertx = vertx;
    }

    /**
     * Tells whether a request is to be carried out.
     *
     * @return false when the client has been told that it is not processed; nothing more is to be done then
     */
    boolean begins(Call call) {
        int stream = call.request().streamId();
        if (stream < 0) {
            return true;
        }
        Streams streams = streams(call.request().connection());
        if (call.answer().ending() == Ending.NOT_PROCESSED && stream > streams.highest && !streams.gone) {
            streams.last = streams.highest;
            sayGoodbye(call.request().connection(), streams, streams.last);
        }
        if (stream > streams.last) {
            return false;
        }
        streams.highest = Math.max(streams.highest, stream);
        return true;
    }

    /** Ends an answer whose head is made, with its body. */
    void end(Call call, Buffer body) {
        later(call.answer().delay(), () -> {
            HttpServerResponse response = call.request().response();
            if (response.closed() || lost(call)) {
                return;
            }
            goAway(call);
            int piece = call.answer().piece();
            if (piece == 0 || body.length() <= piece) {
                response.end(body);
            } else {
                response.putHeader("Content-Length", Integer.toString(body.length()));
                send(call, body, 0);
            }
        });
    }

    /** Starts an answer without end. */
    void start(Call call, Runnable watch) {
        later(call.answer().delay(), () -> {
            if (!lost(call)) {
                goAway(call);
                watch.run();
            }
        });
    }

    private void send(Call call, Buffer body, int from) {
        HttpServerResponse response = call.request().response();
        if (response.closed()) {
            return;
        }
        int to = Math.min(body.length(), from + call.answer().piece());
        if (to == body.length()) {
            response.end(body.slice(from, to));
            return;
        }
        response.write(body.slice(from, to));
        vertx.setTimer(Math.max(1, call.answer().pause().toMillis()), timer -> send(call, body, to));
    }

    private static boolean lost(Call call) {
        Ending ending = call.answer().ending();
        if (ending == Ending.CUT) {
            cut(call.request());
        } else if (ending == Ending.RESET) {
            call.request().response().reset();
        }
        return ending == Ending.CUT || ending == Ending.RESET;
    }

    private void goAway(Call call) {
        Ending ending = call.answer().ending();
        if (ending == Ending.GOAWAY || ending == Ending.NOT_PROCESSED) {
            HttpConnection connection = call.request().connection();
            sayGoodbye(connection, streams(connection), LATEST);
        }
    }

    /** Sends one GOAWAY, and closes the connection once no stream is open. */
    private void sayGoodbye(HttpConnection connection, Streams streams, int lastStream) {
        if (!streams.gone) {
            streams.gone = true;
            connection.goAway(NO_ERROR, lastStream);
            vertx.setTimer(GOODBYE_MILLIS, timer -> connection.shutdown(LONGEST_WATCH_HOURS, TimeUnit.HOURS));
        }
    }

    private Streams streams(HttpConnection connection) {
        return open.computeIfAbsent(connection, opened -> {
            opened.closeHandler(closed -> open.remove(opened));
            return new Streams();
        });
    }

    /** Below TLS and HTTP/2, which would say goodbye. */
    @SuppressWarnings("FutureReturnValueIgnored") // Nothing is left to be done once it is closed.
    private static void cut(HttpServerRequest request) {
        if (request.connection() instanceof HttpServerConnection connection) {
            ChannelHandlerContext lowest =
                    connection.channelHandlerContext().pipeline().firstContext();
            lowest.close();
        } else {
            request.connection().close();
        }
    }

    private void later(Duration delay, Runnable step) {
        if (delay.isZero()) {
            step.run();
        } else {
            vertx.setTimer(Math.max(1, delay.toMillis()), timer -> step.run());
        }
    }
}

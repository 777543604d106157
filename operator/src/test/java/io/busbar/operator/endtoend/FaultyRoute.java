package io.busbar.operator.endtoend;

import io.busbar.runtime.management.CertificateFolder;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A way to an API server, by HTTP/2, on which each request may meet one of the faults that API servers, what stands
 * before them and networks have. Any thread.
 */
final class FaultyRoute {

    /** What one request in so many meets. */
    private enum Trouble {
        /** 429, with a Retry-After. */
        THROTTLED(150),
        /** 503, with a Retry-After. */
        OVERLOADED(300),
        /** 500, and nothing was done. */
        BROKEN(300),
        /** It comes late. */
        SLOW_REQUEST(150),
        /** It is done, and answered late. */
        SLOW_ANSWER(100),
        /** It is done, and the connection is cut. */
        CUT_ANSWER(250),
        /** It is done, and its stream reset. */
        RESET_ANSWER(150),
        /** It is answered on a connection that takes no further requests. */
        GOAWAY(100),
        NONE(1);

        private final int oneOf;

        Trouble(int oneOf) {
            this.oneOf = oneOf;
        }

        private static Trouble any() {
            for (Trouble trouble : values()) {
                if (random(trouble.oneOf) == 0) {
                    return trouble;
                }
            }
            return NONE;
        }
    }

    private static final int LONGEST_DELAY_MILLIS = 6_000;
    private static final int LONGEST_LAG_MILLIS = 45_000;
    private static final long GOODBYE_MILLIS = 1_000;
    private static final long LONGEST_WATCH_HOURS = 1;

    private final Vertx vertx;
    private final Journal journal;
    private final ApiRoute route;
    private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();
    private volatile boolean calm;

    private FaultyRoute(Vertx vertx, Config config, Path folder, Journal journal) throws IOException {
        this.vertx = vertx;
        this.journal = journal;
        CertificateFolder.write(folder);
        HttpServerOptions options = new HttpServerOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setCertPath(folder.resolve("tls.crt").toString())
                        .setKeyPath(folder.resolve("tls.key").toString()));
        this.route = new ApiRoute(vertx, config, false, options, this::handle);
    }

    /** @param folder for a certificate */
    static Future<FaultyRoute> to(Vertx vertx, Config config, Path folder, Journal journal) throws IOException {
        FaultyRoute faulty = new FaultyRoute(vertx, config, folder, journal);
        return faulty.route.open().map(faulty);
    }

    String url() {
        return "https://127.0.0.1:" + route.port();
    }

    /** Ends the faults. */
    void calm() {
        calm = true;
    }

    /** Cuts all connections at once. */
    void cut() {
        journal.count("all cut", "");
        open.forEach(HttpConnection::close);
    }

    Future<Void> close() {
        return route.close();
    }

    private void handle(ApiRoute.Passage passage) {
        HttpServerRequest request = passage.request();
        HttpConnection connection = request.connection();
        if (open.add(connection)) {
            connection.closeHandler(closed -> open.remove(connection));
        }
        Trouble trouble = calm ? Trouble.NONE : Trouble.any();
        if (trouble != Trouble.NONE) {
            journal.count((isWatch(request) ? "watch " : "") + trouble, request.method() + " " + request.path());
        }
        switch (trouble) {
            case THROTTLED -> refuse(request, 429);
            case OVERLOADED -> refuse(request, 503);
            case BROKEN -> refuse(request, 500);
            case SLOW_REQUEST -> later(LONGEST_DELAY_MILLIS, () -> pass(passage));
            case SLOW_ANSWER ->
                passage.send().onSuccess(answer -> later(LONGEST_DELAY_MILLIS, () -> passage.answer(answer)));
            case CUT_ANSWER -> passage.send().onSuccess(answer -> connection.close());
            case RESET_ANSWER ->
                passage.send().onSuccess(answer -> request.response().reset());
            case GOAWAY -> {
                connection.goAway(0, Math.max(0, request.streamId()));
                vertx.setTimer(GOODBYE_MILLIS, timer -> connection.shutdown(LONGEST_WATCH_HOURS, TimeUnit.HOURS));
                pass(passage);
            }
            case NONE -> pass(passage);
        }
    }

    private void pass(ApiRoute.Passage passage) {
        passage.send().onSuccess(answer -> {
            if (isWatch(passage.request()) && answer.statusCode() == 200) {
                new LaggingWatch(passage, answer).start();
            } else {
                passage.answer(answer);
            }
        });
    }

    private static void refuse(HttpServerRequest request, int code) {
        HttpServerResponse response =
                request.response().setStatusCode(code).putHeader("Content-Type", "application/json");
        if (code != 500) {
            response.putHeader("Retry-After", "1");
        }
        request.resume();
        response.end("""
                {"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"message":"by the faulty route"}""".formatted(code));
    }

    private static boolean isWatch(HttpServerRequest request) {
        return "true".equals(request.getParam("watch"));
    }

    private void later(int longestMillis, Runnable step) {
        vertx.setTimer(1 + random(longestMillis), timer -> step.run());
    }

    private static int random(int bound) {
        return ThreadLocalRandom.current().nextInt(bound);
    }

    /** A watch whose events are held back for a while, again and again, as those of a server that lags behind. */
    private final class LaggingWatch {
        private final ApiRoute.Passage passage;
        private final HttpClientResponse answer;
        private final Queue<Buffer> held = new ArrayDeque<>();
        private boolean behind;
        private boolean ended;

        private LaggingWatch(ApiRoute.Passage passage, HttpClientResponse answer) {
            this.passage = passage;
            this.answer = answer;
        }

        private void start() {
            passage.answerHead(answer);
            HttpServerResponse near = passage.request().response();
            answer.exceptionHandler(broken -> near.reset());
            answer.endHandler(end -> {
                ended = true;
                release();
            });
            answer.handler(events -> {
                held.add(events);
                release();
            });
            answer.resume();
            nextLag();
        }

        private void nextLag() {
            later(LONGEST_LAG_MILLIS, () -> {
                HttpServerResponse near = passage.request().response();
                if (calm || ended || near.closed()) {
                    return;
                }
                behind = true;
                journal.count("watch LAGS", passage.request().path());
                later(LONGEST_LAG_MILLIS, () -> {
                    behind = false;
                    release();
                    nextLag();
                });
            });
        }

        /** In turns, so that thousands of events do not hold up the loop. */
        private void release() {
            HttpServerResponse near = passage.request().response();
            if (near.closed() || near.ended() || (behind && !calm)) {
                return;
            }
            Buffer events = held.poll();
            if (events != null) {
                near.write(events);
                vertx.runOnContext(next -> release());
            } else if (ended) {
                near.end();
            }
        }
    }
}

package io.busbar.runtime.management;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Lets pass those who have begun a session; answers 401 to others. A session begins with a token that is printed, and
 * that is good for one of them: the next is printed then. What stands in a terminal or a browser's history is of no use
 * to who finds it. For a server on this machine alone.
 *
 * <p>One context.
 */
final class PrintedTokens implements Handler<RoutingContext> {

    private static final int MOST_SESSIONS = 100;
    private static final String SCHEME = "Bearer ";

    private final Consumer<String> printer;
    private final Deque<String> sessions = new ArrayDeque<>();
    private String printed = UUID.randomUUID().toString();

    /** @param printer told each token that is good for a session, the first by {@link #print} */
    PrintedTokens(Consumer<String> printer) {
        this.printer = printer;
    }

    void print() {
        printer.accept(printed);
    }

    /** Answers with the token of a session. */
    void begin(RoutingContext request) {
        if (!same(given(request), printed)) {
            refuse(request);
            return;
        }
        printed = UUID.randomUUID().toString();
        print();
        String session = UUID.randomUUID().toString();
        sessions.add(session);
        if (sessions.size() > MOST_SESSIONS) {
            sessions.remove();
        }
        request.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .end(new JsonObject().put("token", session).encode());
    }

    @Override
    public void handle(RoutingContext request) {
        String given = given(request);
        if (sessions.stream().anyMatch(session -> same(given, session))) {
            request.next();
        } else {
            refuse(request);
        }
    }

    private static String given(RoutingContext request) {
        String authorization = Objects.requireNonNullElse(request.request().getHeader(HttpHeaders.AUTHORIZATION), "");
        return authorization.startsWith(SCHEME) ? authorization.substring(SCHEME.length()) : "";
    }

    private static boolean same(String given, String right) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));
    }

    private static void refuse(RoutingContext request) {
        request.response()
                .setStatusCode(401)
                .putHeader("WWW-Authenticate", "Bearer")
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end("Unauthorized: the address that was printed last is needed; each is good for one session\n");
    }
}

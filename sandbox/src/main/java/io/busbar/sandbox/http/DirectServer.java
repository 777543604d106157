package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.auth.Access;
import io.busbar.sandbox.faults.Answer.Ending;
import io.busbar.sandbox.faults.FaultPlan;
import io.busbar.sandbox.faults.FaultPlan.Mishap;
import io.busbar.sandbox.faults.Lags;
import io.busbar.sandbox.openapi.OpenApi;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.table.Tables;
import io.busbar.sandbox.verbs.Cluster;
import io.busbar.sandbox.verbs.Verbs;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Answers requests that come as calls, by no connection, as an admin's: resources, discovery and OpenAPI; no watches.
 *
 * <p>For one thread at a time. Of faults it knows refusals and answers that are lost; what is to be late is not.
 */
public final class DirectServer {

    private final ResourceRoutes routes;
    private final Renderer renderer;
    private final Discovery discovery;
    private final OpenApi openApi;
    private final FaultPlan faults;

    /**
     * An answer.
     *
     * <p>Immutable, as long as nobody writes to the body.
     *
     * @param retryAfter in seconds; 0 for no word about it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Answered(int code, String contentType, int retryAfter, byte[] body) {}

    public DirectServer(Cluster cluster, Verbs verbs, Access access, FaultPlan faults) {
        this.routes = new ResourceRoutes(
                cluster,
                verbs,
                access,
                new Gate(access),
                new Lags(cluster.store(), cluster.clock()),
                new ListRequests(false));
        this.renderer = new Renderer(new Tables(cluster.clock()), false);
        this.discovery = new Discovery(cluster.catalog());
        this.openApi = new OpenApi(cluster.catalog(), cluster.store(), HttpSettings.VERSION, false);
        this.faults = faults;
    }

    /**
     * @param uri path and query
     * @throws IOException when a fault has taken the answer; the request was carried out
     */
    public Answered answer(String method, String uri, Map<String, String> headers, byte[] body) throws IOException {
        MultiMap named = MultiMap.caseInsensitiveMultiMap().addAll(headers);
        Optional<Accept> accept =
                Accept.negotiate(Optional.ofNullable(named.get("Accept")).orElse(""));
        Call call =
                Call.direct(HttpMethod.valueOf(method), uri, named, Buffer.buffer(body), accept.orElse(Accept.JSON));
        try {
            Optional<RequestPath> path = RequestPath.parse(call.path());
            return path.isPresent() ? resource(call, path.get()) : rendered(call, other(call));
        } catch (RuntimeException refused) {
            return refused(call, refused);
        }
    }

    private Answered resource(Call call, RequestPath path) throws IOException {
        Target target = routes.target(path);
        if (path.watch() || call.flag("watch")) {
            throw StatusException.methodNotAllowed();
        }
        Mishap mishap = faults.next(Mishaps.verb(call, target, false), target, false);
        if (mishap.refusal() != null) {
            return refused(call, mishap.refusal());
        }
        Answered answered = answered(call, target);
        Ending ending = mishap.answer().ending();
        if (ending == Ending.CUT || ending == Ending.RESET) {
            throw new IOException("the connection was cut in place of the answer");
        }
        return answered;
    }

    private Answered answered(Call call, Target target) {
        try {
            return rendered(call, now(routes.answer(call, target)));
        } catch (RuntimeException refused) {
            return refused(call, refused);
        }
    }

    private static Reply now(Future<Reply> reply) {
        if (!reply.isComplete()) {
            throw new IllegalStateException("a request waits for something that nothing here will bring about");
        }
        if (reply.failed()) {
            throw reply.cause() instanceof RuntimeException failure
                    ? failure
                    : new IllegalStateException(reply.cause());
        }
        return reply.result();
    }

    private Reply other(Call call) {
        if (call.path().startsWith("/openapi/")) {
            return openApi.answer(call.path(), call.header("Accept"))
                    .map(document -> (Reply) new Reply.OfBytes(200, document.contentType(), document.bytes()))
                    .orElseGet(() -> Reply.text(404, "404 page not found\n"));
        }
        return call.path().equals("/version")
                ? new Reply.OfNode(200, new ServerVersion(HttpSettings.VERSION).node())
                : discovery.answer(call.path(), "", "sandbox").orElse(NoSuchPage.REPLY);
    }

    private Answered rendered(Call call, Reply reply) {
        if (reply instanceof Reply.OfBytes plain) {
            return new Answered(
                    plain.status(), plain.contentType(), 0, plain.bytes().getBytes());
        }
        byte[] json = Json.write(
                reply instanceof Reply.OfObject object
                        ? renderer.render(call, object)
                        : reply instanceof Reply.OfPage page
                                ? renderer.render(call, page)
                                : ((Reply.OfNode) reply).node());
        return new Answered(reply.status(), "application/json", 0, json);
    }

    private static Answered refused(Call call, RuntimeException failure) {
        StatusException status = Responses.status(call, failure);
        ObjectNode body = status.body();
        return new Answered(
                status.code(),
                "application/json",
                body.path("details").path("retryAfterSeconds").asInt(),
                Json.write(body));
    }
}

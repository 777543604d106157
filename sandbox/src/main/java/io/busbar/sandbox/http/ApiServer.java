package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.busbar.sandbox.auth.Access;
import io.busbar.sandbox.faults.FaultPlan.Mishap;
import io.busbar.sandbox.openapi.OpenApi;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.resource.CustomVersion;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.table.Tables;
import io.busbar.sandbox.verbs.Cluster;
import io.busbar.sandbox.verbs.Verbs;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers every request: resources, discovery, health, version, OpenAPI, and everything else with 404.
 *
 * <p>One context. A handler that throws is a 500 with a Status body, never a hanging request.
 */
public final class ApiServer implements Handler<HttpServerRequest> {

    private static final Logger log = LoggerFactory.getLogger(ApiServer.class);
    private static final String NOT_ACCEPTABLE = "406: Not Acceptable\n\nAvailable representations: application/json,"
            + " application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch,"
            + " application/vnd.kubernetes.protobuf;stream=watch";
    private static final List<String> STREAMED =
            List.of("application/json;stream=watch", "application/vnd.kubernetes.protobuf;stream=watch");
    private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");
    private static final List<String> CHECKS = List.of("ping", "log", "etcd");
    private static final List<String> READY_CHECKS = List.of("ping", "log", "etcd", "informer-sync", "shutdown");
    private static final Caller NOBODY = new Caller("", "", List.of());

    private final ResourceRoutes routes;
    private final Watches watches;
    private final Discovery discovery;
    private final OpenApi openApi;
    private final ServerVersion version;
    private final Gate gate;
    private final Responses responses;
    private final Mishaps mishaps;
    private final Delivery delivery;
    private final Expressions expressions;

    public ApiServer(Vertx vertx, Cluster cluster, Verbs verbs, HttpSettings settings, Access access) {
        Renderer renderer = new Renderer(new Tables(cluster.clock()), settings.managedFieldsOptOut());
        this.gate = new Gate(access);
        ListRequests lists = new ListRequests(settings.sharding());
        this.routes = new ResourceRoutes(cluster, verbs, access, gate, settings.lags(), lists);
        Encodings encodings = new Encodings();
        this.watches = new Watches(vertx, cluster, renderer, encodings, settings, lists);
        this.discovery = new Discovery(cluster.catalog());
        this.openApi = new OpenApi(cluster.catalog(), cluster.store(), settings.version(), settings.sharding());
        this.version = settings.serverVersion();
        this.delivery = new Delivery(vertx);
        this.responses = new Responses(renderer, encodings, settings.requests(), delivery);
        this.mishaps = new Mishaps(vertx, settings.faults());
        this.expressions = new Expressions(vertx, settings.sharding());
    }

    @Override
    public void handle(HttpServerRequest request) {
        Caller caller;
        try {
            caller = gate.admit(request);
        } catch (RuntimeException refused) {
            responses.fail(Call.of(request, Buffer.buffer(), Accept.JSON, NOBODY), refused);
            return;
        }
        if (request.canUpgradeToWebSocket()) {
            answer(request, Buffer.buffer(), caller);
            return;
        }
        new BodyLimit(request)
                .read()
                .onComplete(
                        body -> answer(request, body, caller),
                        failure -> responses.fail(Call.of(request, Buffer.buffer(), Accept.JSON, caller), failure));
    }

    private void answer(HttpServerRequest request, Buffer body, Caller caller) {
        Optional<Accept> accept = Accept.negotiate(
                String.valueOf(Optional.ofNullable(request.getHeader("Accept")).orElse("")));
        Call call = Call.of(request, body, accept.orElse(Accept.JSON), caller);
        guarded(call, () -> route(call, accept.isPresent()));
    }

    private void route(Call call, boolean acceptable) {
        Optional<RequestPath> path = RequestPath.parse(call.path());
        if (path.isEmpty()) {
            responses.send(call, other(call));
            return;
        }
        if (!acceptable) {
            throw new StatusException(406, "NotAcceptable", NOT_ACCEPTABLE, JsonNodeFactory.instance.objectNode());
        }
        resource(call, path.get());
    }

    private void resource(Call call, RequestPath path) {
        Target target = routes.target(path);
        routes.deprecation(target).ifPresent(call.warnings()::add);
        CustomVersion custom = target.resource().custom();
        if (custom != null && custom.warning() != null) {
            call.warnings().add(custom.warning());
        }
        boolean watch = path.watch() || (call.flag("watch") && target.name().isEmpty());
        Mishap mishap = mishaps.of(call, target, watch);
        Call answered = call.answered(mishap.answer());
        mishaps.before(mishap)
                .compose(passed -> expressions.ready(answered, target))
                .onComplete(
                        passed -> guarded(answered, () -> carryOut(answered, target, watch)),
                        failure -> responses.fail(answered, failure));
    }

    private void carryOut(Call call, Target target, boolean watch) {
        if (!delivery.begins(call)) {
            return;
        }
        boolean reads =
                call.method().name().equals("GET") && target.subresource().isEmpty();
        Accept.Format format = call.accept().format();
        if (reads && watch && format != Accept.Format.JSON) {
            throw StatusException.notAcceptable(
                    format == Accept.Format.YAML ? STREAMED : List.of(Accept.Format.JSON.mediaType()));
        }
        if (reads && watch) {
            delivery.start(call, () -> guarded(call, () -> watches.start(call, target)));
            return;
        }
        Future<Reply> reply = routes.answer(call, target);
        reply.onComplete(
                answer -> guarded(call, () -> responses.send(call, answer)), failure -> responses.fail(call, failure));
    }

    /** Does a step of an answer. One that throws is the answer's failure: nobody else would tell the client. */
    private void guarded(Call call, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | StackOverflowError failure) {
            responses.fail(call, failure);
        }
    }

    /** Cuts all watches. */
    public void dropWatches() {
        watches.drop();
    }

    private Reply other(Call call) {
        String path = call.path();
        if (path.equals("/version") || path.equals("/version/")) {
            checkRead(call);
            return new Reply.OfNode(200, version.node());
        }
        if (HEALTH.stream().anyMatch(health -> path.equals(health) || path.startsWith(health + "/"))) {
            return health(call, path);
        }
        if (path.equals("/")) {
            return new Reply.OfNode(200, discovery.paths());
        }
        if (path.startsWith("/openapi/")) {
            return openApi.answer(path, call.header("Accept"))
                    .map(document -> (Reply) new Reply.OfBytes(200, document.contentType(), document.bytes()))
                    .orElse(NoSuchPage.REPLY);
        }
        String trimmed = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        Optional<Reply> told = discovery.answer(
                trimmed, call.header("Accept"), String.valueOf(call.request().authority()));
        if (told.isPresent() && !trimmed.matches("/apis(/[^/]*)?")) {
            checkRead(call);
        }
        return told.orElseGet(() -> {
            log.atDebug().addKeyValue("path", path).log("nothing is served there");
            return NoSuchPage.REPLY;
        });
    }

    /** Discovery is there to be read; of groups the real server does not look at the method. */
    private static void checkRead(Call call) {
        if (!call.method().name().equals("GET")) {
            throw StatusException.methodNotAllowed();
        }
    }

    /** One check, or all of them: line by line when asked for. */
    private static Reply health(Call call, String path) {
        String name = path.split("/", -1)[1];
        List<String> checks = name.equals("readyz") ? READY_CHECKS : CHECKS;
        if (path.length() > name.length() + 1) {
            return checks.contains(path.substring(name.length() + 2)) ? Reply.text(200, "ok") : NoSuchPage.REPLY;
        }
        List<String> excluded = call.query().getAll("exclude");
        String lines = checks.stream()
                .map(check -> "[+]" + check + (excluded.contains(check) ? " excluded: ok\n" : " ok\n"))
                .collect(Collectors.joining());
        return Reply.text(200, call.asks("verbose") ? lines + name + " check passed\n" : "ok");
    }
}

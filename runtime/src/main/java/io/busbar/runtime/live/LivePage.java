package io.busbar.runtime.live;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.api.ApiFailure;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.view.StoredPrimary;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The routes of the live page: the page itself, which anyone may have, as nothing is in it; what it shows, and what can
 * be done there, which are for those whom the guards let pass.
 *
 * <p>One context.
 */
public final class LivePage {

    /** What may be got, as a ClusterRole names it. */
    public static final String PATH = "/live";

    private static final String SAFE =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'";
    private static final Map<String, String> FILES = Map.of(
            PATH,
            "page.html",
            PATH + "/page.css",
            "page.css",
            PATH + "/page.js",
            "page.js",
            PATH + "/icon.svg",
            "icon.svg");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");
    private static final int LONGEST_SEARCH = 300;
    private static final ResourceType SECRETS = ResourceType.of(Secret.class);

    private final Vertx vertx;
    private final LiveSources sources;
    private final Readers readers;

    /** What something is to be done to. */
    public record Target(String controller, ResourceType type, ObjectKey key) {}

    public LivePage(Vertx vertx, LiveSources sources) {
        this.vertx = vertx;
        this.sources = sources;
        this.readers = new Readers(vertx, sources);
    }

    public void serve(Router router, Guards guards, Pauses pauses) {
        router.route(PATH + "*").handler(LivePage::secure);
        FILES.forEach((path, file) -> {
            Buffer content = read(file);
            String type = Objects.requireNonNull(TYPES.get(file.substring(file.indexOf('.') + 1)));
            router.get(path)
                    .handler(request -> request.response()
                            .putHeader(HttpHeaders.CONTENT_TYPE, type)
                            .end(content));
        });
        Handler<RoutingContext> mayLook = guards.look();
        router.get(PATH + "/state").handler(mayLook).handler(this::state);
        router.get(PATH + "/events").handler(mayLook).handler(request -> readers.add(request.response()));
        router.get(PATH + "/objects").handler(mayLook).handler(this::find);
        router.get(PATH + "/object").handler(mayLook).handler(this::object);
        router.get(PATH + "/content")
                .handler(mayLook)
                .handler(this::aim)
                .handler(LivePage::refuseSecrets)
                .handler(guards.read())
                .handler(this::content);
        Map<String, Handler<RoutingContext>> actions = Map.of(
                "/reconcile", this::reconcile,
                "/pause", request -> pause(request, pauses, true),
                "/resume", request -> pause(request, pauses, false));
        actions.forEach((name, action) -> router.post(PATH + name)
                .handler(mayLook)
                .handler(this::aim)
                .handler(guards.update())
                .handler(action));
    }

    /** What the request is about; only for the guards of an object. */
    public static Target target(RoutingContext request) {
        return Objects.requireNonNull(request.get(Target.class.getName()));
    }

    private static void secure(RoutingContext request) {
        request.response()
                .putHeader("Content-Security-Policy", SAFE)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        request.next();
    }

    private static Buffer read(String file) {
        try (InputStream content = Objects.requireNonNull(LivePage.class.getResourceAsStream(file), file)) {
            return Buffer.buffer(content.readAllBytes());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private void state(RoutingContext request) {
        json(request, sources.controllers().views().map(views -> {
            StringBuilder state = new StringBuilder("{\"at\":" + System.currentTimeMillis());
            new Picture(sources, Instant.now())
                    .sections(views)
                    .forEach((name, section) ->
                            state.append(",\"").append(name).append("\":").append(section));
            return state.append("}\n").toString();
        }));
    }

    private void find(RoutingContext request) {
        String text = Objects.requireNonNullElse(request.request().getParam("find"), "");
        if (text.length() > LONGEST_SEARCH) {
            refuse(request, 400, "find: " + text.length() + " characters; allowed: " + LONGEST_SEARCH + " at most");
            return;
        }
        json(
                request,
                sources.controllers()
                        .find(text)
                        .map(found -> Picture.found(found).encode()));
    }

    private void object(RoutingContext request) {
        targetOf(request)
                .ifPresent(target -> json(
                        request,
                        isPaused(target)
                                .compose(paused -> sources.controllers()
                                        .past(target.controller(), target.key())
                                        .map(past -> new JsonObject()
                                                .put("controller", target.controller())
                                                .put("kind", target.type().kind())
                                                .put("object", target.key().toString())
                                                .put("paused", paused)
                                                .put("past", Picture.past(past))
                                                .encode()))));
    }

    private Future<Boolean> isPaused(Target target) {
        return stored(target)
                .map(stored -> stored.map(StoredPrimary::object)
                        .filter(Controller::isPaused)
                        .isPresent());
    }

    /** On a worker, as the object has to be decoded. */
    private Future<Optional<StoredPrimary>> stored(Target target) {
        return vertx.executeBlocking(() -> sources.controllers().stored(target.controller(), target.key()), false);
    }

    private static void refuseSecrets(RoutingContext request) {
        if (SECRETS.equals(target(request).type())) {
            refuse(request, 403, "the content of Secrets is not shown to anyone");
        } else {
            request.next();
        }
    }

    private void content(RoutingContext request) {
        Target target = target(request);
        stored(target)
                .compose(stored -> vertx.executeBlocking(
                        () -> stored.map(one -> Picture.content(one).encode()), false))
                .onSuccess(content -> content.ifPresentOrElse(
                        json -> answerJson(request, json),
                        () -> refuse(request, 404, target.key() + " is not there, or not listed yet")))
                .onFailure(request::fail);
    }

    private void aim(RoutingContext request) {
        targetOf(request).ifPresent(target -> {
            if (!target.key().cluster().isEmpty()) {
                refuse(
                        request,
                        400,
                        "object: '" + target.key()
                                + "' is in another cluster; allowed: those of the operator's own, which"
                                + " knows who asks");
                return;
            }
            request.put(Target.class.getName(), target);
            request.next();
        });
    }

    /** On a worker, as the object has to be decoded. */
    private void reconcile(RoutingContext request) {
        Target target = target(request);
        vertx.executeBlocking(() -> sources.controllers().request(target.controller(), target.key()), false)
                .onSuccess(queued -> {
                    if (queued) {
                        request.response().setStatusCode(202).end();
                    } else {
                        refuse(
                                request,
                                409,
                                "this replica does not work on " + target.key() + ", or it is not there any more");
                    }
                })
                .onFailure(request::fail);
    }

    private static void pause(RoutingContext request, Pauses pauses, boolean paused) {
        String authorization = Objects.requireNonNullElse(request.request().getHeader(HttpHeaders.AUTHORIZATION), "");
        String token = authorization.substring(authorization.indexOf(' ') + 1).strip();
        pauses.set(target(request), paused, token)
                .onSuccess(done -> request.response().setStatusCode(200).end())
                .onFailure(failure -> refuse(
                        request,
                        failure instanceof KubernetesClientException refused && refused.getCode() >= 400
                                ? refused.getCode()
                                : 500,
                        "the annotation " + Controller.pauseAnnotation() + " cannot be set: "
                                + ApiFailure.reason(failure)));
    }

    /** Answers where there is none. */
    private Optional<Target> targetOf(RoutingContext request) {
        String controller = Objects.requireNonNullElse(request.request().getParam("controller"), "");
        @Nullable String object = request.request().getParam("object");
        Optional<ResourceType> type = sources.controllers().primariesOf(controller);
        if (type.isEmpty()) {
            refuse(request, 404, "controller: '" + controller + "' is none of this operator's");
            return Optional.empty();
        }
        try {
            ObjectKey key = ObjectKey.parse(Objects.requireNonNullElse(object, ""));
            return Optional.of(new Target(controller, type.get(), key));
        } catch (IllegalArgumentException wrong) {
            refuse(request, 400, "object: " + wrong.getMessage());
            return Optional.empty();
        }
    }

    private static void json(RoutingContext request, Future<String> text) {
        text.onSuccess(json -> answerJson(request, json)).onFailure(request::fail);
    }

    private static void answerJson(RoutingContext request, String json) {
        request.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .end(json);
    }

    private static void refuse(RoutingContext request, int code, String why) {
        request.response()
                .setStatusCode(code)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end(why + "\n");
    }
}

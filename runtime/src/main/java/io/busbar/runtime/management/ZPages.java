package io.busbar.runtime.management;

import io.busbar.runtime.process.Program;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.MIMEHeader;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * {@code /statusz} and {@code /flagz}, as the components of Kubernetes 1.36 serve them (KEP-4827, KEP-4828): text for
 * people, or an object of {@code config.k8s.io} for who asks for it in so many words.
 *
 * <p>One context.
 */
final class ZPages {

    static final String STATUS = "/statusz";
    static final String FLAGS = "/flagz";

    private static final String ANY = "*";
    private static final String GROUP = "config.k8s.io";
    /** The latest first; what is asked for in another is told to be out of date. */
    private static final List<String> VERSIONS = List.of("v1beta1", "v1alpha1");

    private static final String WARNING =
            "Warning: This endpoint is not meant to be machine parseable, has no formatting"
                    + " compatibility guarantees and is for debugging purposes only.";
    private static final DateTimeFormatter UNIX_DATE = DateTimeFormatter.ofPattern(
                    "EEE MMM ppd HH:mm:ss 'UTC' yyyy", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Program program;
    private final InstantSource clock;
    private final TreeSet<String> paths = new TreeSet<>();

    /**
     * One of the two, in both of its forms.
     *
     * @param fields adds those of the object to its kind, version and name
     */
    private record Page(String kind, Supplier<String> text, Consumer<JsonObject> fields) {}

    ZPages(Program program, InstantSource clock) {
        this.program = program;
        this.clock = clock;
    }

    /**
     * @param guard asked before each answer
     * @param others what else is served there
     */
    void serve(Router router, Handler<RoutingContext> guard, List<String> others) {
        paths.addAll(others);
        paths.addAll(List.of(STATUS, FLAGS));
        Page status = new Page("Statusz", this::statusText, this::addStatus);
        Page flags = new Page("Flagz", this::flagsText, this::addFlags);
        router.get(STATUS).handler(guard).handler(request -> answer(request, status));
        router.get(FLAGS).handler(guard).handler(request -> answer(request, flags));
    }

    private void answer(RoutingContext request, Page page) {
        List<MIMEHeader> accepted = request.parsedHeaders().accept();
        if (accepted.isEmpty()) {
            text(request, page);
            return;
        }
        for (MIMEHeader type : accepted) {
            if (isText(type)) {
                text(request, page);
                return;
            }
            String version = type.parameter("v");
            if (isObject(type, page.kind()) && VERSIONS.contains(version)) {
                object(request, page, version);
                return;
            }
        }
        request.response()
                .setStatusCode(406)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end("Not acceptable: Accept is '"
                        + String.join(", ", request.request().headers().getAll(HttpHeaders.ACCEPT))
                        + "'; allowed: text/plain, application/json;v=" + VERSIONS.get(0) + ";g=" + GROUP + ";as="
                        + page.kind() + "\n");
    }

    private static boolean isText(MIMEHeader type) {
        return switch (type.component()) {
            case ANY -> type.subComponent().equals(ANY);
            case "text" -> Set.of(ANY, "plain").contains(type.subComponent());
            default -> false;
        };
    }

    private static boolean isObject(MIMEHeader type, String kind) {
        return type.component().equals("application")
                && type.subComponent().equals("json")
                && GROUP.equals(type.parameter("g"))
                && kind.equals(type.parameter("as"));
    }

    private void text(RoutingContext request, Page page) {
        request.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end(page.text().get());
    }

    private void object(RoutingContext request, Page page, String version) {
        JsonObject object = new JsonObject()
                .put("kind", page.kind())
                .put("apiVersion", apiVersion(version))
                .put("metadata", new JsonObject().put("name", program.name()));
        page.fields().accept(object);
        if (!version.equals(VERSIONS.get(0))) {
            request.response()
                    .putHeader(
                            "Warning",
                            "299 - \"%s %s is deprecated; use %s\""
                                    .formatted(apiVersion(version), page.kind(), apiVersion(VERSIONS.get(0))));
        }
        request.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .end(object.encode() + "\n");
    }

    private static String apiVersion(String version) {
        return String.join("/", GROUP, version);
    }

    private String statusText() {
        Duration up = uptime();
        return "\n%s statusz\n%s\n\nStarted: %s\nUp: %d hr %02d min %02d sec\nJava version: %s\nBinary version: %s\nPaths: %s\n"
                .formatted(
                        program.name(),
                        WARNING,
                        UNIX_DATE.format(program.started()),
                        up.toHours(),
                        up.toMinutesPart(),
                        up.toSecondsPart(),
                        Runtime.version(),
                        program.version(),
                        String.join(" ", paths));
    }

    private void addStatus(JsonObject object) {
        Instant started = program.started().truncatedTo(ChronoUnit.SECONDS);
        object.put("startTime", started.toString())
                .put("uptimeSeconds", uptime().toSeconds())
                .put("binaryVersion", program.version())
                .put("paths", new JsonArray(List.copyOf(paths)));
    }

    private Duration uptime() {
        return Duration.between(program.started(), clock.instant());
    }

    private String flagsText() {
        StringBuilder text = new StringBuilder("\n" + program.name() + " flags\n" + WARNING + "\n\n");
        program.flags()
                .forEach((name, value) ->
                        text.append(name).append('=').append(value).append('\n'));
        return text.toString();
    }

    private void addFlags(JsonObject object) {
        JsonObject flags = new JsonObject();
        program.flags().forEach(flags::put);
        object.put("flags", flags);
    }
}

package io.busbar.runtime.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.common.guard.Thrown;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.flags.KubernetesFlags;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code top}. */
@Command(
        name = "top",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description =
                "Prints what a running operator does, as its live page shows it: of a Pod of the cluster that runs"
                        + " with --live-bind-address, by a port that is forwarded, or of the address that dev prints.")
final class TopCommand implements Callable<Integer> {

    private static final int PATIENCE_MILLIS = 10_000;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CLEAR = "\u001b[H\u001b[2J";

    private final OperatorDefinition operator;

    /** Nobody ends it but a signal. */
    private final CountDownLatch ended = new CountDownLatch(1);

    @Mixin
    private KubernetesFlags kubernetes;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "The address of the live page, as dev prints it, with the token behind #. Default: that of a Pod.")
    private @Nullable URI url;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "The namespace of the operator's Pods. Default: the operator's name followed by -system.")
    private @Nullable String namespace;

    @Option(
            names = "--pod",
            paramLabel = "NAME",
            description = "Which of several. Default: the first one that is ready.")
    private @Nullable String pod;

    @Option(
            names = "--live-port",
            defaultValue = "8444",
            paramLabel = "PORT",
            description = "The port of its live page. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "Who asks, for a Pod. Default: the token of the kubeconfig.")
    private @Nullable String token;

    @Option(names = "--once", description = "Prints it once, not every 2 seconds until it is ended.")
    private boolean once;

    @Spec
    private CommandSpec spec;

    TopCommand(OperatorDefinition operator) {
        this.operator = operator;
    }

    @Override
    public Integer call() throws Exception {
        if (url != null) {
            requireSafe(url);
            String printed = url.getFragment();
            print(url.resolve("/"), Objects.requireNonNullElse(printed == null ? token : printed, ""), printed != null);
            return 0;
        }
        try (KubernetesClient client = kubernetes.client();
                LocalPortForward forwarded = forward(client)) {
            String mine = token == null ? tokenOf(client.getConfiguration()) : token;
            print(URI.create("https://127.0.0.1:" + forwarded.getLocalPort() + "/"), mine, false);
        }
        return 0;
    }

    /** A token is told to nobody who listens on the way. */
    private static void requireSafe(URI url) {
        boolean isSafe = "https".equals(url.getScheme()) || ("http".equals(url.getScheme()) && isHere(url));
        if (url.getHost() == null || !isSafe) {
            throw new InvalidConfigurationException(List.of(new ConfigurationProblem(
                    "--url", url.toString().replaceFirst("#.*", ""), "https, or http to an address of this machine")));
        }
    }

    private static boolean isHere(URI url) {
        try {
            return InetAddress.getByName(url.getHost()).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    /** Of the kubeconfig's user, who may have it from a program; empty where they have another proof. */
    private static String tokenOf(Config config) {
        return Stream.of(config.getOauthToken(), config.getAutoOAuthToken())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
    }

    private LocalPortForward forward(KubernetesClient client) {
        String where = namespace == null ? operator.name() + "-system" : namespace;
        List<Pod> pods = client.pods()
                .inNamespace(where)
                .withLabel("control-plane", "controller-manager")
                .withLabel("app.kubernetes.io/name", operator.name())
                .list()
                .getItems();
        Optional<Pod> chosen = pods.stream()
                .filter(one -> pod == null
                        ? Readiness.isPodReady(one)
                        : one.getMetadata().getName().equals(pod))
                .findFirst();
        if (chosen.isEmpty()) {
            throw new InvalidConfigurationException(List.of(new ConfigurationProblem(
                    pod == null ? "--namespace" : "--pod",
                    pod == null ? where : pod,
                    pod == null
                            ? "one with a Pod of the operator that is ready"
                            : String.join(
                                    ", ",
                                    pods.stream()
                                            .map(one -> one.getMetadata().getName())
                                            .toList()))));
        }
        return client.pods()
                .inNamespace(where)
                .withName(chosen.get().getMetadata().getName())
                .portForward(port);
    }

    /**
     * @param page its server
     * @param given by who asks: a printed token, which is good for one session, or one of the cluster
     */
    private void print(URI page, String given, boolean printed) throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            // The way from here to a Pod is the API server's, which knows where it leads; the page's certificate may
            // be anybody's.
            HttpClient http = vertx.createHttpClient(new HttpClientOptions()
                    .setTrustAll(isHere(page))
                    .setVerifyHost(!isHere(page))
                    .setConnectTimeout(PATIENCE_MILLIS));
            String holder = printed
                    ? ask(http, HttpMethod.POST, page.resolve("/live/session"), given)
                            .path("token")
                            .asText()
                    : given;
            PrintWriter out = spec.commandLine().getOut();
            boolean again;
            do {
                JsonNode state = ask(http, HttpMethod.GET, page.resolve("/live/state"), holder);
                if (!once) {
                    out.print(CLEAR);
                }
                lines(state, Instant.now()).forEach(out::println);
                out.flush();
                again = !once && !ended.await(2, TimeUnit.SECONDS);
            } while (again);
        } finally {
            vertx.close().await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private static JsonNode ask(HttpClient http, HttpMethod method, URI address, String holder) throws Exception {
        RequestOptions request = new RequestOptions()
                .setMethod(method)
                .setAbsoluteURI(address.toString())
                .setTimeout(PATIENCE_MILLIS)
                .putHeader(HttpHeaders.AUTHORIZATION, "Bearer " + holder);
        Answer answer = http.request(request)
                // Nested, so that it is on the event loop that the answer finds somebody waiting.
                .compose(sent -> sent.send()
                        .compose(response ->
                                response.body().map(body -> new Answer(response.statusCode(), body.toString()))))
                .recover(away -> Future.failedFuture(refused(address, Thrown.text(away))))
                .await(2L * PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        if (answer.code() != 200) {
            throw refused(address, answer.text().strip());
        }
        return JSON.readTree(answer.text());
    }

    private record Answer(int code, String text) {}

    private static InvalidConfigurationException refused(URI address, String why) {
        return new InvalidConfigurationException(List.of(new ConfigurationProblem(
                "live page", address.toString(), "one that answers, with --live-bind-address (" + clean(why) + ")")));
    }

    /** What a person sees. */
    static List<String> lines(JsonNode state, Instant now) {
        List<String> lines = new ArrayList<>();
        JsonNode operator = state.path("operator");
        lines.add(text(operator, "name") + " " + text(operator, "version") + ", " + text(operator, "instance") + ": "
                + text(operator, "role") + "; up " + age(operator, "started", now));
        lines.add("");
        for (JsonNode problem : state.path("problems")) {
            String about = text(problem, "object").isEmpty()
                    ? ""
                    : text(problem, "controller") + " " + text(problem, "object") + ": ";
            lines.add((problem.path("severe").asBoolean() ? "!! " : " ! ")
                    + about
                    + text(problem, "what")
                    + (problem.has("since") ? " (for " + age(problem, "since", now) + ")" : ""));
            lines.add("     " + text(problem, "help"));
        }
        lines.add("%-24s %9s %7s %7s %7s %7s  %s"
                .formatted("CONTROLLER", "BUSY", "CHANGE", "LIST", "RESYNC", "LATER", "OLDEST"));
        for (JsonNode controller : state.path("controllers")) {
            JsonNode waiting = controller.path("waiting");
            lines.add("%-24s %9s %7s %7s %7s %7s  %s"
                    .formatted(
                            text(controller, "name"),
                            controller.path("busy").asInt() + "/"
                                    + controller.path("workers").asInt(),
                            waiting.path("change").asInt(),
                            waiting.path("list").asInt(),
                            waiting.path("resync").asInt(),
                            controller.path("delayed").asInt(),
                            controller.has("oldest") ? age(controller, "oldest", now) : "-"));
            for (JsonNode one : controller.path("inFlight")) {
                lines.add("  > " + text(one, "object") + " for " + age(one, "begun", now) + ", because of "
                        + text(one, "why"));
            }
            for (JsonNode one : controller.path("retrying")) {
                lines.add("  x " + text(one, "object") + " failed "
                        + one.path("failures").asInt() + " times: " + text(one, "error"));
            }
        }
        lines.add("");
        lines.add("%-40s %-9s %9s %10s %8s".formatted("WATCH", "PHASE", "OBJECTS", "LAST SIGN", "RELISTS"));
        for (JsonNode stream : state.path("streams")) {
            String where = text(stream, "namespace");
            lines.add("%-40s %-9s %9d %10s %8d"
                    .formatted(
                            text(stream, "watch") + (where.isEmpty() ? "" : " in " + where),
                            text(stream, "phase"),
                            stream.path("objects").asInt(),
                            age(stream, "lastSign", now),
                            stream.path("relists").asInt()));
        }
        return lines;
    }

    private static String text(JsonNode json, String field) {
        return clean(json.path(field).asText());
    }

    /** What would steer a terminal, or turn the direction of a line, is none of a name. */
    private static String clean(String text) {
        return text.replaceAll("[\\p{Cntrl}\\p{Cf}]", "?");
    }

    private static String age(JsonNode json, String field, Instant now) {
        long seconds = Math.max(0, (now.toEpochMilli() - json.path(field).asLong()) / 1000);
        if (seconds < 100) {
            return seconds + "s";
        }
        return seconds < 6000 ? seconds / 60 + "m" : seconds / 3600 + "h";
    }
}

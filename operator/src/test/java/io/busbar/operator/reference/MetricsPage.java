package io.busbar.operator.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What {@code /metrics} says. For one thread.
 *
 * @param running what a running operator has measured
 */
record MetricsPage(Map<String, Metric> running) {

    private static final String HEAD = """
            # Metrics

            What `/metrics` says, in Prometheus' text format. Names and labels are those of controller-runtime (`controller_runtime_…`, `certwatcher_…`,
            `leader_election_…`) and client-go (`workqueue_…`, `reflector_…`, `rest_client_…`), so that dashboards made for operators in Go work; `busbar_…` are
            Busbar's own; `vertx_…`, `jvm_…`, `process_…` and `system_…` are those of Vert.x and Micrometer. Histograms and summaries come with a gauge of the same
            name and `_max`: the largest value of the last minutes.

            † only once it has happened.

            | name | type | labels | meaning |
            |---|---|---|---|
            """;

    /**
     * Those that a quiet operator does not have; of Busbar's own, {@link #isWritten} looks for the meaning in the code.
     */
    private static final Map<String, Metric> OCCASIONAL = Map.ofEntries(
            Map.entry(
                    "busbar_polls_total",
                    counter("Questions that polling event sources have asked.", "controller", "result", "source")),
            Map.entry(
                    "busbar_slow_calls_total",
                    counter("Calls of functions on event loops that took over 20 ms.", "kind", "name")),
            Map.entry(
                    "busbar_watch_errors_total",
                    counter("Lists and watches that failed.", "code", "name", "namespace")),
            Map.entry(
                    "rest_client_rate_limiter_duration_seconds",
                    new Metric(
                            "histogram",
                            Set.of("host", "verb"),
                            "How long requests waited for their turn that had to, by method and host.")),
            Map.entry(
                    "rest_client_request_retries_total",
                    counter(
                            "Requests that were sent again, by the status that they got first, method and host.",
                            "code",
                            "host",
                            "verb")),
            Map.entry("vertx_eventbus_reply_failures_total", counter("Number of message reply failures.")),
            Map.entry(
                    "vertx_http_client_errors_total",
                    counter("Number of errors of connections that the operator opened.")),
            Map.entry("vertx_http_server_errors_total", counter("Number of errors of connections to the servers.")),
            Map.entry(
                    "vertx_http_server_request_resets_total",
                    counter("Number of requests that their clients gave up.", "method")),
            Map.entry(
                    "busbar_shard_buckets",
                    new Metric("gauge", Set.of("member"), "How many buckets of the work this replica works on.")),
            Map.entry(
                    "busbar_shard_unowned",
                    new Metric(
                            "gauge", Set.of(), "How many buckets no living replica holds, as far as this one knows.")),
            Map.entry(
                    "busbar_shard_handover_seconds",
                    new Metric(
                            "summary",
                            Set.of(),
                            "How long it takes to give a bucket to another replica: what is under way has to end before.")),
            Map.entry(
                    "busbar_shard_opening_seconds",
                    new Metric(
                            "summary",
                            Set.of(),
                            "How long buckets that were gained wait until the watches show all that is in them.")));

    /** One metric, as people are told of it. */
    record Metric(String type, Set<String> labels, String meaning) {

        private boolean isLike(Metric other) {
            return type.equals(other.type) && labels.equals(other.labels);
        }
    }

    private static Metric counter(String meaning, String... labels) {
        return new Metric("counter", Set.of(labels), meaning);
    }

    Page page() throws IOException {
        Map<String, Metric> rows = new TreeMap<>(running);
        rows.putAll(OCCASIONAL);
        for (Map.Entry<String, Metric> metric : OCCASIONAL.entrySet()) {
            Metric seen = running.getOrDefault(metric.getKey(), metric.getValue());
            assertThat(seen.isLike(metric.getValue()))
                    .as("%s is %s", metric, seen)
                    .isTrue();
            assertThat(metric.getKey().startsWith("vertx_")
                            || isWritten(metric.getValue().meaning()))
                    .as("%s: no class says so", metric)
                    .isTrue();
        }
        StringBuilder text = new StringBuilder(HEAD);
        rows.forEach((name, metric) -> text.append(row(name, metric)));
        return new Page("metrics.md", text.toString());
    }

    private static String row(String name, Metric metric) {
        String meaning = Page.cell(metric.meaning());
        return "| `" + name + "` | " + metric.type() + " | " + String.join(", ", new TreeSet<>(metric.labels())) + " | "
                + meaning + (meaning.endsWith(".") ? "" : ".") + (OCCASIONAL.containsKey(name) ? " †" : "") + " |\n";
    }

    private static boolean isWritten(String meaning) throws IOException {
        Set<String> texts = new HashSet<>();
        for (JavaClass type : DeclaredFields.SHIPPED) {
            texts.addAll(ClassStrings.of(type));
        }
        return texts.contains(meaning);
    }
}

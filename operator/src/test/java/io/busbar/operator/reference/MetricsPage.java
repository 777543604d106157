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
            Busbar's own, and `mysqlcluster_…` those of its operator for MySQLCluster; `vertx_…`, `jvm_…`, `process_…` and `system_…` are those of Vert.x and Micrometer. Histograms and summaries come with a gauge of the same
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
                    "mysqlcluster_external_primary_lag_seconds",
                    gauge("How far a MySQLCluster is behind the server outside that it follows.")),
            Map.entry("mysqlcluster_members_ready", gauge("How many members of a MySQLCluster serve.")),
            Map.entry("mysqlcluster_members_wanted", gauge("How many members a MySQLCluster should have.")),
            Map.entry("mysqlcluster_failovers", gauge("How often another member of a MySQLCluster had to take over.")),
            Map.entry(
                    "mysqlcluster_certificate_expiry_timestamp_seconds",
                    gauge(
                            "When the first certificate that a member of a MySQLCluster shows expires, in seconds since 1970.")),
            Map.entry(
                    "mysqlcluster_last_backup_timestamp_seconds",
                    gauge(
                            "When the last backup of a MySQLCluster was complete, in seconds since 1970; before the first, when the cluster was made.")),
            Map.entry(
                    "mysqlcluster_backup_verified_timestamp_seconds",
                    gauge(
                            "When a backup of a MySQLCluster was last found to give back what it holds, in seconds since 1970.")),
            Map.entry(
                    "mysqlcluster_backup_verification_failed",
                    gauge("Whether the last verification of a backup of a MySQLCluster has failed.")),
            Map.entry(
                    "mysqlcluster_archive_lag_seconds",
                    gauge(
                            "For how long there have been writes of a MySQLCluster that its archive of binary logs lacks.")),
            Map.entry(
                    "mysqlcluster_archive_interval_seconds",
                    gauge("How often the binary logs of a MySQLCluster are to be archived.")),
            Map.entry(
                    "mysqlcluster_archive_broken",
                    gauge(
                            "Whether the archive of binary logs of a MySQLCluster has a gap or a fork after its last backup.")),
            Map.entry("mysqlcluster_member_up", gauge("Whether a member of a MySQLCluster answers.", "member")),
            Map.entry(
                    "mysqlcluster_member_writable",
                    gauge("Whether a member of a MySQLCluster takes writes.", "member")),
            Map.entry(
                    "mysqlcluster_member_lag_seconds",
                    gauge("How far a replica of a MySQLCluster is behind its primary.", "member")),
            Map.entry(
                    "mysqlcluster_member_disk_bytes",
                    gauge("How large the disk of a member of a MySQLCluster is.", "member")),
            Map.entry(
                    "mysqlcluster_member_disk_free_bytes",
                    gauge("How much of the disk of a member of a MySQLCluster is free.", "member")),
            Map.entry(
                    "mysqlcluster_member_connections",
                    gauge("Connections that a member of a MySQLCluster has open.", "member")),
            Map.entry(
                    "mysqlcluster_member_connections_limit",
                    gauge("Connections that a member of a MySQLCluster may have open.", "member")),
            Map.entry(
                    "mysqlcluster_member_connections_running",
                    gauge("Connections that are executing something at a member of a MySQLCluster.", "member")),
            Map.entry(
                    "mysqlcluster_member_queries_total",
                    counter(
                            "Statements of clients that a member of a MySQLCluster was sent since it started.",
                            "cluster",
                            "member",
                            "namespace")),
            Map.entry(
                    "mysqlcluster_passwords_timestamp_seconds",
                    gauge("Since when a MySQLCluster has its passwords, in seconds since 1970.")),
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

    /** Of a MySQLCluster. */
    private static Metric gauge(String meaning, String... labels) {
        Set<String> all = new HashSet<>(Set.of("namespace", "cluster"));
        all.addAll(Set.of(labels));
        return new Metric("gauge", all, meaning);
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

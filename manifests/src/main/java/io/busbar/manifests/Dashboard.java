package io.busbar.manifests;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.yaml.Yaml;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A dashboard for Grafana of what an operator built of these modules measures.
 *
 * <p>Immutable.
 */
final class Dashboard {

    /** One graph: what is drawn, in which unit of Grafana's, and what a line is called. */
    private record Graph(String title, String unit, String query, String legend) {}

    private static final String JOB = "job=\"$job\"";

    private static final List<Graph> GRAPHS = List.of(
            new Graph(
                    "Reconciles by outcome",
                    "ops",
                    "sum by (controller, result) (rate(controller_runtime_reconcile_total{" + JOB + "}[5m]))",
                    "{{controller}} {{result}}"),
            new Graph(
                    "Failed reconciles",
                    "ops",
                    "sum by (controller) (rate(controller_runtime_reconcile_errors_total{" + JOB + "}[5m]))",
                    "{{controller}}"),
            new Graph(
                    "Time of a reconcile, 99 %",
                    "s", quantile("controller_runtime_reconcile_time_seconds", "controller"), "{{controller}}"),
            new Graph(
                    "Workers in use",
                    "percentunit",
                    "sum by (controller) (controller_runtime_active_workers{" + JOB
                            + "}) / sum by (controller) (controller_runtime_max_concurrent_reconciles{" + JOB + "})",
                    "{{controller}}"),
            new Graph(
                    "Keys that wait",
                    "short",
                    "sum by (controller, priority) (workqueue_depth{" + JOB + "})",
                    "{{controller}} {{priority}}"),
            new Graph(
                    "Time in the queue, 99 %",
                    "s", quantile("workqueue_queue_duration_seconds", "controller"), "{{controller}}"),
            new Graph(
                    "Longest reconcile that runs",
                    "s",
                    "max by (controller) (workqueue_longest_running_processor_seconds{" + JOB + "})",
                    "{{controller}}"),
            new Graph(
                    "Objects in the caches", "short", "max by (name) (busbar_watch_objects{" + JOB + "})", "{{name}}"),
            new Graph(
                    "Bytes in the caches, as JSON",
                    "bytes",
                    "max by (name) (busbar_watch_stored_bytes{" + JOB + "})",
                    "{{name}}"),
            new Graph(
                    "Since a watch was heard of last",
                    "s",
                    "max by (name) (busbar_watch_staleness_seconds{" + JOB + "})",
                    "{{name}}"),
            new Graph(
                    "Watch events",
                    "ops",
                    "sum by (name, type) (rate(busbar_watch_events_total{" + JOB + "}[5m]))",
                    "{{name}} {{type}}"),
            new Graph(
                    "Requests to the API server",
                    "ops",
                    "sum by (method, code) (rate(rest_client_requests_total{" + JOB + "}[5m]))",
                    "{{method}} {{code}}"),
            new Graph("Leads", "short", "sum by (pod) (leader_election_master_status{" + JOB + "})", "{{pod}}"),
            new Graph(
                    "Reviews by code",
                    "ops",
                    "sum by (webhook, code) (rate(controller_runtime_webhook_requests_total{" + JOB + "}[5m]))",
                    "{{webhook}} {{code}}"),
            new Graph(
                    "Time of a review, 99 %",
                    "s", quantile("controller_runtime_webhook_latency_seconds", "webhook"), "{{webhook}}"),
            new Graph(
                    "Certificate expires in",
                    "s",
                    "min by (pod, server) (certwatcher_certificate_expiry_timestamp_seconds{" + JOB + "}) - time()",
                    "{{pod}} {{server}}"),
            new Graph(
                    "Memory by area",
                    "bytes",
                    "sum by (pod, area) (jvm_memory_used_bytes{" + JOB + "})",
                    "{{pod}} {{area}}"),
            new Graph("CPU", "percentunit", "sum by (pod) (process_cpu_usage{" + JOB + "})", "{{pod}}"));

    private static final int WIDTH = 8;
    private static final int HEIGHT = 8;
    private static final int COLUMNS = 24 / WIDTH;

    private Dashboard() {}

    /** The JSON that Grafana imports. */
    static String of(OperatorDeclaration operator) {
        ObjectNode dashboard = new ObjectMapper().createObjectNode();
        dashboard
                .put("uid", operator.name() + "-operator")
                .put("title", operator.about().displayName() + " operator")
                .put("schemaVersion", 39)
                .put("refresh", "30s")
                .put("editable", true);
        dashboard.putObject("time").put("from", "now-1h").put("to", "now");
        dashboard.putArray("tags").add("operator").add(operator.name());
        variables(dashboard.putObject("templating").putArray("list"));
        ArrayNode panels = dashboard.putArray("panels");
        List<Graph> graphs = Stream.concat(
                        GRAPHS.stream(),
                        operator.parts().stream()
                                .filter(part -> !part.graphs().isBlank())
                                .flatMap(part -> graphs(part.graphs())))
                .toList();
        for (int i = 0; i < graphs.size(); i++) {
            panel(panels.addObject(), graphs.get(i), i);
        }
        return dashboard.toPrettyString() + "\n";
    }

    private static void variables(ArrayNode list) {
        list.addObject()
                .put("name", "datasource")
                .put("type", "datasource")
                .put("query", "prometheus")
                .put("label", "Data source");
        ObjectNode job = list.addObject()
                .put("name", "job")
                .put("type", "query")
                .put("label", "Job")
                .put("refresh", 2)
                .put("query", "label_values(controller_runtime_max_concurrent_reconciles, job)");
        source(job);
    }

    /** Of a part of the operator. */
    private static Stream<Graph> graphs(String yaml) {
        return StreamSupport.stream(Yaml.read(yaml).spliterator(), false)
                .map(graph -> new Graph(
                        graph.path("title").asText(),
                        graph.path("unit").asText(),
                        graph.path("query").asText(),
                        graph.path("legend").asText()));
    }

    private static void panel(ObjectNode panel, Graph graph, int number) {
        panel.put("id", number + 1).put("type", "timeseries").put("title", graph.title());
        source(panel);
        panel.putObject("gridPos")
                .put("h", HEIGHT)
                .put("w", WIDTH)
                .put("x", number % COLUMNS * WIDTH)
                .put("y", number / COLUMNS * HEIGHT);
        panel.putObject("fieldConfig").putObject("defaults").put("unit", graph.unit());
        panel.putArray("targets")
                .addObject()
                .put("refId", "A")
                .put("expr", graph.query())
                .put("legendFormat", graph.legend());
    }

    private static void source(ObjectNode node) {
        node.putObject("datasource").put("type", "prometheus").put("uid", "${datasource}");
    }

    private static String quantile(String histogram, String by) {
        return "histogram_quantile(0.99, sum by (" + by + ", le) (rate(" + histogram + "_bucket{" + JOB + "}[5m])))";
    }
}

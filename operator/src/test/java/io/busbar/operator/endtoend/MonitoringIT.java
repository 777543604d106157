package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.manifests.yaml.Yaml;
import io.busbar.operator.bundled.BundledManifests;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the dashboard draws and alerts watch is there. */
@EndToEnd
class MonitoringIT {

    /** A name before a selector of labels. */
    private static final Pattern METRIC = Pattern.compile("([a-z_]+)\\{");

    /** Made by Prometheus itself. */
    private static final Set<String> FOREIGN = Set.of("up");

    private final Cluster cluster;

    MonitoringIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void the_dashboard_and_the_alerts_name_metrics_that_exist() {
        cluster.createPod("measured", "measured");
        Set<String> exposed = cluster.running().metricNames();

        Set<String> named = names(expressions());
        named.removeAll(FOREIGN);
        assertThat(named).hasSizeGreaterThan(15).isSubsetOf(exposed);
    }

    private static List<String> expressions() {
        JsonNode dashboard = Yaml.read(file("config/grafana/operator.json"));
        JsonNode rules = Yaml.read(file("config/prometheus/rule.yaml"));
        List<String> expressions = dashboard.findValuesAsText("expr");
        expressions.addAll(rules.findValuesAsText("expr"));
        return expressions;
    }

    private static String file(String path) {
        return String.valueOf(BundledManifests.tree().files().get(path));
    }

    private static Set<String> names(List<String> expressions) {
        return expressions.stream()
                .flatMap(expression -> METRIC.matcher(expression).results())
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toSet());
    }
}

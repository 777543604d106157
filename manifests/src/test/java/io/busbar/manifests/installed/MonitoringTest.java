package io.busbar.manifests.installed;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.manifests.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the dashboard draws and the alerts watch is measured: it is in the reference, which a test makes from what an
 * operator says.
 */
class MonitoringTest {

    /** A name before a selector of labels. */
    private static final Pattern USED = Pattern.compile("([a-z_]+)\\{");

    private static final Pattern ROW = Pattern.compile("\\| `([a-z_0-9]+)` \\| (\\w+) \\|.*");

    /** Made by Prometheus itself. */
    private static final Set<String> FOREIGN = Set.of("up");

    @Test
    void names_metrics_that_exist() throws IOException {
        Set<String> used = expressions().stream()
                .flatMap(expression -> USED.matcher(expression).results())
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toSet());
        used.removeAll(FOREIGN);

        assertThat(used).hasSizeGreaterThan(18).isSubsetOf(measured());
    }

    @Test
    void gives_each_graph_a_place_of_its_own() throws IOException {
        List<String> places = Yaml.read(dashboard()).findValues("gridPos").stream()
                .map(Object::toString)
                .toList();

        assertThat(places).hasSizeGreaterThan(10).doesNotHaveDuplicates();
    }

    private static List<String> expressions() throws IOException {
        List<String> expressions = Yaml.read(dashboard()).findValuesAsText("expr");
        expressions.addAll(
                CheckedIn.objects("config/prometheus/rule.yaml").get(0).findValuesAsText("expr"));
        return expressions;
    }

    private static String dashboard() throws IOException {
        return Files.readString(CheckedIn.CONFIG.resolve("grafana").resolve("operator.json"));
    }

    private static Set<String> measured() throws IOException {
        return Files.readAllLines(Path.of("..", "docs", "reference", "metrics.md")).stream()
                .map(ROW::matcher)
                .filter(row -> row.matches())
                .flatMap(row -> row.group(2).equals("histogram")
                        ? Stream.of("_bucket", "_sum", "_count").map(part -> row.group(1) + part)
                        : Stream.of(row.group(1)))
                .collect(Collectors.toSet());
    }
}

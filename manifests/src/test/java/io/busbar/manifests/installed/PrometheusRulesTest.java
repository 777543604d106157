package io.busbar.manifests.installed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.installed.Tool.Outcome;
import io.busbar.manifests.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alerts, by Prometheus' own tests of rules. */
class PrometheusRulesTest {

    private static final Tool PROMTOOL = new Tool("promtool");
    private static final Path TESTS = Path.of("src", "test", "resources", "prometheus", "rules_test.yaml");

    private final JsonNode rules =
            CheckedIn.objects("config/prometheus/rule.yaml").get(0).path("spec");

    @TempDir
    private Path folder;

    @Test
    void fire_when_they_should_and_only_then() throws IOException {
        Outcome version = PROMTOOL.run(folder, "--version");
        assumeThat(version.exitCode()).as(version.output()).isZero();
        Files.writeString(folder.resolve("rules.yaml"), Yaml.write(rules));
        passes("check", "rules", "rules.yaml");

        // Else each word of them would have to be said again in the tests.
        all().forEach(rule -> ((ObjectNode) rule).remove("annotations"));
        Files.writeString(folder.resolve("rules.yaml"), Yaml.write(rules));
        Files.copy(TESTS, folder.resolve("rules_test.yaml"));
        passes("test", "rules", "rules_test.yaml");
    }

    @Test
    void are_all_tested() throws IOException {
        List<String> alerts = rules.findValuesAsText("alert");

        assertThat(alerts).hasSizeGreaterThan(8).doesNotHaveDuplicates();
        assertThat(Yaml.read(Files.readString(TESTS)).findValuesAsText("alertname"))
                .containsAll(alerts);
    }

    @Test
    void say_how_bad_it_is_and_what_to_do() {
        assertThat(all()).allSatisfy(rule -> {
            assertThat(rule.at("/labels/severity").asText()).isIn("warning", "critical");
            assertThat(rule.at("/annotations/summary").asText()).isNotBlank();
            assertThat(rule.at("/annotations/description").asText()).isNotBlank();
        });
    }

    private List<JsonNode> all() {
        List<JsonNode> all = new ArrayList<>();
        rules.path("groups").forEach(group -> group.path("rules").forEach(all::add));
        return all;
    }

    private void passes(String... arguments) {
        Outcome outcome = PROMTOOL.run(folder, arguments);
        assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    }
}

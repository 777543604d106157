package io.busbar.charts.watches;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.common.configuration.InvalidConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchesFileTest {

    @TempDir
    private Path folder;

    private List<Watch> read(String text, Map<String, String> variables) throws IOException {
        Files.createDirectories(folder.resolve("web"));
        Files.writeString(folder.resolve("web/Chart.yaml"), "name: web");
        return WatchesFile.read(Files.writeString(folder.resolve("watches.yaml"), text), variables);
    }

    @Test
    void reads_what_an_entry_must_have_and_takes_the_rest_to_be_as_usual() throws IOException {
        Watch watch = read("- {group: example.com, version: v1, kind: Proxy, chart: ./web}", Map.of())
                .get(0);

        assertThat(watch)
                .isEqualTo(new Watch(
                        "example.com",
                        "v1",
                        "Proxy",
                        "proxies",
                        folder.resolve("web"),
                        Map.of(),
                        true,
                        "",
                        Optional.empty()));
        assertThat(watch.name()).isEqualTo("proxies.example.com");
    }

    @Test
    void reads_all_that_an_entry_may_have() throws IOException {
        Watch watch =
                read("""
                        - group: example.com
                          version: v1alpha1
                          kind: Data
                          plural: datas
                          chart: web
                          watchDependentResources: false
                          overrideValues:
                            image.repository: $HOST/web:${TAG}
                            replicas: 3
                            tag: "3"
                            debug: ${MISSING}true
                            enabled: false
                            price: 5$ or ${MISSING}.
                          selector:
                            matchLabels: {tier: gold, area: north}
                            matchExpressions:
                              - {key: env, operator: In, values: [test, live]}
                              - {key: env, operator: NotIn, values: [old]}
                              - {key: team, operator: Exists}
                              - {key: legacy, operator: DoesNotExist}
                          reconcilePeriod: 1m30s
                          dryRunOption: server
                        """, Map.of("HOST", "registry.example.com", "TAG", "2")).get(0);

        assertThat(watch.plural()).isEqualTo("datas");
        assertThat(watch.watchDependentResources()).isFalse();
        assertThat(watch.overrideValues())
                .isEqualTo(Map.of(
                        "image.repository", TextNode.valueOf("registry.example.com/web:2"),
                        "replicas", IntNode.valueOf(3),
                        "tag", TextNode.valueOf("3"),
                        "debug", TextNode.valueOf("true"),
                        "enabled", BooleanNode.FALSE,
                        "price", TextNode.valueOf("5$ or .")));
        assertThat(watch.selector()).isEqualTo("area=north,tier=gold,env in (test,live),env notin (old),team,!legacy");
        assertThat(watch.reconcilePeriod()).contains(Duration.ofSeconds(90));
    }

    @Test
    void tells_all_that_is_wrong_at_once_with_file_field_value_and_what_is_allowed() {
        assertThatThrownBy(() -> read("""
                        - group: example.com
                          version: "1"
                          kind: proxy
                          chart: ./nowhere
                          watchDependantResources: true
                          overrideValues: {image: {tag: 1}, "a..b": x}
                          selector: {matchExpressions: [{key: a, operator: Is}]}
                          reconcilePeriod: soon
                        - {group: example.com, version: v1, kind: Proxy, chart: web, watchDependentResources: 3}
                        - {group: example.com, version: v2, kind: Proxy, chart: web}
                        - text
                        """, Map.of()))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining(folder + "/watches.yaml: [0].watchDependantResources: 'true' is not allowed;"
                        + " allowed: one of the fields chart, dryRunOption, group, kind, overrideValues,")
                .hasMessageContaining("[0].version: '1' is not allowed; allowed: a version such as v1 or v1alpha1")
                .hasMessageContaining("[0].kind: 'proxy' is not allowed")
                .hasMessageContaining("[0].chart: './nowhere' is not allowed; allowed: a folder with a Chart.yaml")
                .hasMessageContaining(
                        "[0].overrideValues.image: '{\"tag\":1}' is not allowed; allowed: a text, a number, true or false")
                .hasMessageContaining(
                        "[0].overrideValues: 'a..b' is not allowed; allowed: names joined by dots, with [N]")
                .hasMessageContaining("[0].selector.matchExpressions[0]: ")
                .hasMessageContaining("[0].reconcilePeriod: 'soon' is not allowed")
                .hasMessageContaining("[1].watchDependentResources: '3' is not allowed; allowed: true or false")
                .hasMessageContaining("[2].kind: 'Proxy' is not allowed; allowed: a kind that no other has; [0]")
                .hasMessageContaining("[3]: '\"text\"' is not allowed");
    }

    @Test
    void tells_of_a_file_that_is_not_there_or_no_list() {
        assertThatThrownBy(() -> WatchesFile.read(folder.resolve("none.yaml"), Map.of()))
                .hasMessageContaining("none.yaml: '' is not allowed; allowed: a file that can be read")
                .hasMessageContaining("--watches-file");
        assertThatThrownBy(() -> read("a: [", Map.of())).hasMessageContaining("allowed: YAML");
        assertThatThrownBy(() -> read("kind: Proxy", Map.of())).hasMessageContaining("one list of one or more charts");
        assertThatThrownBy(() -> read("[]", Map.of())).hasMessageContaining("one list of one or more charts");
    }
}

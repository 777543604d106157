package io.busbar.manifests.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;

class YamlPropertyTest {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final KubernetesSerialization yaml12 = new KubernetesSerialization();

    @Property(tries = 300)
    void is_read_as_what_was_written_by_yaml_1_1_and_by_yaml_1_2(@ForAll("trees") ObjectNode tree) {
        String text = Yaml.write(tree);
        Object yaml11 = new org.yaml.snakeyaml.Yaml(new SafeConstructor(new LoaderOptions())).load(text);

        assertThat(yaml12.<JsonNode>convertValue(yaml11, JsonNode.class)).isEqualTo(tree);
        assertThat(yaml12.unmarshal(text, JsonNode.class)).isEqualTo(tree);
    }

    @Property(tries = 300)
    void is_the_same_whatever_the_order_of_keys(@ForAll("trees") ObjectNode tree) {
        ObjectNode reversed = JSON.objectNode();
        new TreeMap<>(tree.properties().stream()
                        .collect(java.util.stream.Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)))
                .descendingMap()
                .forEach(reversed::set);
        assertThat(Yaml.write(reversed)).isEqualTo(Yaml.write(tree));
    }

    @Provide
    Arbitrary<ObjectNode> trees() {
        return objects(Arbitraries.lazyOf(
                () -> scalars(),
                () -> objects(scalars()),
                () -> lists(scalars()),
                () -> lists(objects(lists(scalars())))));
    }

    private static Arbitrary<ObjectNode> objects(Arbitrary<? extends JsonNode> values) {
        return Arbitraries.maps(strings(), values).ofMaxSize(4).map(entries -> {
            ObjectNode object = JSON.objectNode();
            entries.forEach(object::set);
            return object;
        });
    }

    private static Arbitrary<JsonNode> lists(Arbitrary<? extends JsonNode> items) {
        return items.list()
                .ofMaxSize(3)
                .map(list -> JSON.arrayNode().addAll(list.stream().toList()));
    }

    private static Arbitrary<JsonNode> scalars() {
        return Arbitraries.oneOf(
                strings().map(JSON::textNode),
                Arbitraries.integers().map(JSON::numberNode),
                Arbitraries.of(true, false).map(JSON::booleanNode),
                Arbitraries.just(JSON.nullNode()));
    }

    private static Arbitrary<String> strings() {
        return Arbitraries.oneOf(
                Arbitraries.of(List.of(
                        "",
                        " ",
                        "y",
                        "No",
                        "on",
                        "off",
                        "null",
                        "~",
                        "1",
                        "0755",
                        "1.20",
                        "1e3",
                        ".5",
                        "._",
                        "0x1f",
                        "12:30:45",
                        "2020-01-01",
                        "-",
                        "---",
                        "...",
                        "? a",
                        "a: b",
                        "a:",
                        "a #b",
                        "#a",
                        "*a",
                        "&a",
                        "!a",
                        "|",
                        ">",
                        "%a",
                        "@a",
                        "`a`",
                        "<<",
                        "=",
                        "[a]",
                        "{a}",
                        "'a'",
                        "\"a\"",
                        "a\\b",
                        "a\nb",
                        "\ta",
                        "a\r\n",
                        "\u0085",
                        "\u2028",
                        "\ufeff",
                        "😀",
                        "é",
                        "a ",
                        ".inf",
                        "busbar:latest",
                        "app.kubernetes.io/name",
                        "*",
                        "v1",
                        "_1",
                        "+1",
                        "1_000")),
                Arbitraries.strings().withCharRange(' ', '~').ofMaxLength(12),
                Arbitraries.strings().withCharRange('\u0000', '\ud7ff').ofMaxLength(6));
    }
}

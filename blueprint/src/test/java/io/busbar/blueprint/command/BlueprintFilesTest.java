package io.busbar.blueprint.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.busbar.blueprint.Blueprints;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

class BlueprintFilesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "yes",
                "No",
                "on",
                "null",
                "~",
                "true",
                "1",
                "-1.5",
                "1e3",
                "0x1F",
                "0o7",
                "010",
                "1_000",
                "12:30:45",
                "2026-01-01",
                ".inf",
                "=",
                "<<",
                "- a",
                "a: b",
                "a #b",
                "#a",
                "&a",
                "*a",
                "!a",
                "|",
                ">",
                "%a",
                "@a",
                "`a",
                "{a}",
                "[a]",
                "'a'",
                "\"a\"",
                "a\nb\n",
                "\ta",
                "${a}",
                "é🙂",
                "\\",
                "?",
                "a:",
                "a: ",
                "b -",
                "500m",
                "1Gi",
                "nginx:1.27",
                "/a/b",
                "NULL",
                "y",
                "OFF",
                "0b1",
                "+1",
                ".5"
            })
    void a_text_stays_a_text_for_readers_of_either_yaml(String text) {
        String yaml = BlueprintFiles.yaml(JsonNodeFactory.instance.objectNode().put("x", text));

        assertThat(Blueprints.documents(yaml).get(0).text("x")).isEqualTo(text);
        Map<String, Object> read = new Yaml().load(yaml);
        assertThat(read).isEqualTo(Map.of("x", text));
    }
}

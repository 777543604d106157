package io.busbar.blueprint.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceReaderTest {

    private final Problems problems = new Problems();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1 | 1",
                "-7 | -7",
                "1.5 | 1.5",
                "1e3 | 1000.0",
                "true | true",
                "yes | \"yes\"",
                "'1' | \"1\"",
                "null | null",
                "~ | null",
                "010 | 10",
                "0x10 | \"0x10\"",
                "12:30 | \"12:30\"",
                "2026-01-01 | \"2026-01-01\"",
                "1.2.3 | \"1.2.3\"",
                "99999999999999999999 | 99999999999999999999",
                "! 5 | 5",
            })
    void values_are_those_of_json(String written, String json) {
        assertThat(read("a: " + written).get(0).json().path("a")).hasToString(json);
        assertThat(problems.list()).isEmpty();
    }

    @Test
    void each_part_has_its_place() {
        SourceNode document = read("""
                a:
                  b.c/d: [x, {e: 1}]
                """).get(0);

        SourceNode list = document.at("a", "b.c/d");
        assertThat(list.keyPlace()).isEqualTo(new Place("a[\"b.c/d\"]", 2, 3));
        assertThat(list.items().get(1).field("e").orElseThrow().place())
                .isEqualTo(new Place("a[\"b.c/d\"][1].e", 2, 18));
    }

    @Test
    void what_is_no_text_has_paths_and_no_lines() throws Exception {
        JsonNode json =
                new ObjectMapper().readTree("{\"a\": {\"b.c/d\": [1, {\"e\": \"\\u007f\\u0085\"}]}, \"<<\": null}");

        SourceNode node = SourceNode.of(json);

        assertThat(node.json()).isEqualTo(json);
        Place place =
                node.at("a", "b.c/d").items().get(1).field("e").orElseThrow().place();
        problems.add(place, "is wrong");
        assertThat(problems.list()).singleElement().hasToString("a[\"b.c/d\"][1].e: is wrong");
    }

    @Test
    void a_part_of_a_text_is_found_where_it_is_written() {
        SourceNode document = read("""
                plain: é 🙂 ${a} and ${a}
                block: |-
                  first
                  second ${b}
                escaped: "\\u0061 ${c}\\n${d\\"}"
                """).get(0);

        SourceNode plain = document.at("plain");
        assertThat(plain.within("a", plain.text().lastIndexOf("a}"))).isEqualTo(new Place("plain", 1, 24));
        assertThat(document.at("block").within("b", 15).line()).isEqualTo(4);
        assertThat(document.at("escaped").within("d\"", 9))
                .isEqualTo(document.at("escaped").place());
    }

    @Test
    void documents_are_read_one_by_one_and_empty_ones_are_overlooked() {
        assertThat(read("a: 1\n---\n---\n# nothing\n---\nb: 2\n")).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{a: 1, a: 2} | a: line 1, column 8: the field is there twice",
                "{a: &x [*x]} | a[0]: line 1, column 5: an alias stands within what it stands for",
                "{a: &x {<<: *x}} | a: line 1, column 9: an alias stands within what it stands for",
                "{a: &x [1], c: {<<: *x}} | c: line 1, column 17: a merge (<<) must be of a map, or of a list of maps",
                "{[a]: 1} | line 1, column 2: the name of a field must be a text",
                "[ | line 1, column 2: no YAML: expected the node content, but found '<stream end>'",
                "a: b: c | line 1, column 5: no YAML: mapping values are not allowed here",
            })
    void what_is_wrong_is_told_with_its_place(String text, String problem) {
        read(text);

        assertThat(problems.list()).first().hasToString(problem);
    }

    @Test
    void a_merge_gives_the_fields_that_are_not_there_and_the_first_of_several_wins() {
        SourceNode document = read("""
                a: &a {x: 1, y: {z: 2}}
                b: &b {x: 3, w: 4}
                one:
                  <<: *a
                  x: 5
                several: {<<: [*b, *a]}
                deep: {<<: {<<: *b, v: 6}}
                text: {"<<": 7}
                """).get(0);

        assertThat(problems.list()).isEmpty();
        assertThat(document.at("one").json()).hasToString("{\"x\":5,\"y\":{\"z\":2}}");
        assertThat(document.at("several").json()).hasToString("{\"x\":3,\"w\":4,\"y\":{\"z\":2}}");
        assertThat(document.at("deep").json()).hasToString("{\"v\":6,\"x\":3,\"w\":4}");
        assertThat(document.at("text").json()).hasToString("{\"<<\":7}");
        assertThat(document.at("one", "y", "z").place()).isEqualTo(new Place("one.y.z", 1, 21));
    }

    @Test
    void what_grows_through_its_merges_is_refused() {
        StringBuilder bomb = new StringBuilder("a0: &a0 {x: 1}\n");
        for (int i = 1; i < 24; i++) {
            bomb.append("a%1$d: &a%1$d {<<: [*a%2$d, *a%2$d]}%n".formatted(i, i - 1));
        }
        read(bomb.toString());

        assertThat(problems.list())
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).startsWith("the document is too large"));
    }

    @Test
    void what_grows_through_its_aliases_is_refused() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n");
        for (int i = 1; i < 10; i++) {
            bomb.append("a%d: &a%d [%s]%n".formatted(i, i, String.join(", ", Collections.nCopies(5, "*a" + (i - 1)))));
        }
        read(bomb.toString());

        assertThat(problems.list())
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).startsWith("the document is too large"));
    }

    @Test
    void what_is_too_deep_is_refused() {
        read("[".repeat(3_000) + "]".repeat(3_000));

        assertThat(problems.list()).first().hasToString("line 1, column 1: no YAML: Nesting Depth exceeded max 100");
    }

    @Test
    void problems_are_sorted_by_position_and_told_once() {
        problems.add(new Place("b", 2, 1), "late");
        problems.add(new Place("a", 1, 9), "early");
        problems.add(new Place("b", 2, 1), "late");
        problems.add(new Place("a", 1, 2), "first\n  of all");

        assertThat(problems.list())
                .hasToString(
                        "[a: line 1, column 2: first of all, a: line 1, column 9: early, b: line 2, column 1: late]");
    }

    private List<SourceNode> read(String text) {
        return SourceReader.read(text, problems);
    }
}

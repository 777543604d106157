package io.busbar.blueprint.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.read.BlueprintReader.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Blueprints whose resources are instances of one another. */
class BlueprintReaderTest {

    private static final String INNER = blueprint("Inner", "host: ${words.metadata.name}", """
            - id: words
              template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}"}}
            """);

    private static String blueprint(String kind, String status, String resources) {
        return Blueprints.with("status:\n  " + status + "\n", resources)
                .replace("kind: Test", "kind: " + kind)
                .replace("name: test", "name: " + kind.toLowerCase(Locale.ROOT));
    }

    /** One that makes an instance of another kind, and reads a field of its status. */
    private static String reading(String kind, String other, String field) {
        return blueprint(kind, "read: ${other.status." + field + "}", """
                - id: other
                  template: {apiVersion: busbar.io/v1, kind: %s, metadata: {name: "${schema.metadata.name}"}}
                """.formatted(other));
    }

    private static List<String> problems(String... blueprints) {
        List<String> problems = new ArrayList<>();
        new BlueprintReader((file, problem) -> problems.add(problem))
                .check(List.of(new Text("all.yaml", String.join("---\n", blueprints))), Optional.empty());
        return problems;
    }

    @Test
    void the_status_of_an_instance_has_the_fields_that_its_own_blueprint_gives_it() {
        assertThat(problems(reading("Outer", "Inner", "host"), INNER)).isEmpty();
        assertThat(problems(reading("Outer", "Inner", "hots"), INNER))
                .singleElement()
                .asString()
                .contains("undefined field 'hots'");
        assertThat(problems(INNER, reading("Outer", "Inner", "hots")))
                .as("in the other order")
                .singleElement()
                .asString()
                .contains("undefined field 'hots'");
    }

    @Test
    void a_field_is_known_through_another_blueprint_between_the_two() {
        assertThat(problems(reading("Outer", "Middle", "read.size()"), reading("Middle", "Inner", "host"), INNER))
                .isEmpty();
        assertThat(problems(reading("Outer", "Middle", "read + 1"), reading("Middle", "Inner", "host"), INNER))
                .singleElement()
                .asString()
                .contains("no matching overload");
    }

    @Test
    void what_is_wrong_with_a_blueprint_is_told_of_that_one_alone() {
        assertThat(problems(
                        reading("Outer", "Inner", "host"), INNER.replace("words.metadata.name", "words.metadata.nam")))
                .singleElement()
                .asString()
                .contains("undefined field 'nam'");
    }

    @Test
    void kinds_that_are_made_of_one_another_may_be_anything_where_the_circle_closes() {
        assertThat(problems(reading("One", "Other", "read"), reading("Other", "One", "read")))
                .isEmpty();
        assertThat(problems(reading("Self", "Self", "read"))).isEmpty();
    }
}

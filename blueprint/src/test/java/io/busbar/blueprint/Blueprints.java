package io.busbar.blueprint;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.check.BlueprintCheck;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.source.Problem;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.source.SourceReader;
import io.busbar.blueprint.types.ModelTypes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Blueprints for tests. */
public final class Blueprints {

    private static final ModelTypes MODELS = new ModelTypes();

    private Blueprints() {}

    /** A file beside the tests. */
    public static String file(String name) {
        try (InputStream stream = Blueprints.class.getResourceAsStream("/blueprints/" + name)) {
            return new String(Objects.requireNonNull(stream, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The documents of a text that is right. */
    public static List<SourceNode> documents(String text) {
        Problems problems = new Problems();
        List<SourceNode> documents = SourceReader.read(text, problems);
        if (!problems.isEmpty()) {
            throw new AssertionError(problems.list());
        }
        return documents;
    }

    public static List<JsonNode> objects(String text) {
        return documents(text).stream().map(SourceNode::json).toList();
    }

    /** One that has no problem. */
    public static CheckedBlueprint checked(String text) {
        Problems problems = new Problems();
        CheckedBlueprint checked = check(text, problems);
        if (checked == null || !problems.isEmpty()) {
            throw new AssertionError(problems.list());
        }
        return checked;
    }

    /** The same under another name than {@link #with} gives. */
    public static CheckedBlueprint named(String name, String text) {
        return checked(text.replace("metadata: {name: test}", "metadata: {name: " + name + "}"));
    }

    /** All that is wrong with one. */
    public static List<String> problems(String text) {
        Problems problems = new Problems();
        check(text, problems);
        return problems.list().stream().map(Problem::toString).toList();
    }

    private static CheckedBlueprint check(String text, Problems problems) {
        List<SourceNode> documents = SourceReader.read(text, problems);
        return documents.isEmpty()
                ? null
                : Blueprint.read(documents.get(0), problems)
                        .map(read -> BlueprintCheck.check(read, MODELS, MODELS.metadata(), problems))
                        .orElse(null);
    }

    /** One with this schema, whose lines are indented by two, and these resources. */
    public static String with(String schema, String resources) {
        return """
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: Blueprint
                metadata: {name: test}
                spec:
                  schema:
                    apiVersion: v1
                    kind: Test
                """ + schema.indent(4) + "  resources:\n" + resources.indent(4);
    }
}

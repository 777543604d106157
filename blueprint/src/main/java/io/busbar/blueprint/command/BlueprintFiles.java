package io.busbar.blueprint.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import io.busbar.blueprint.Blueprint;
import io.busbar.blueprint.check.BlueprintCheck;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.definition.Definition;
import io.busbar.blueprint.source.Problem;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.source.SourceReader;
import io.busbar.blueprint.types.ModelTypes;
import io.busbar.blueprint.types.OpenApiTypes;
import io.busbar.blueprint.types.Types;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What the commands share: how files are read, checked and told about. For one thread.
 *
 * <p>Blueprints that are read together know the kinds of one another.
 */
final class BlueprintFiles {

    private static final YAMLMapper YAML = new YAMLMapper(YAMLFactory.builder()
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .stringQuotingChecker(new CarefulQuoting())
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .build());

    @Option(
            names = "--openapi",
            paramLabel = "DIR",
            description = {
                "A folder with OpenAPI v3 documents, as kubectl get --raw /openapi/v3/apis/GROUP/VERSION prints them, and with"
                        + " CustomResourceDefinitions: the kinds that templates may be of, before the built-in ones."
            })
    private @Nullable Path openapi;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    private final ModelTypes models = new ModelTypes();
    private boolean failed;

    /** Leaves plain only what no reader of YAML, of either version, takes for anything but a text. */
    private static final class CarefulQuoting extends StringQuotingChecker.Default {

        private static final long serialVersionUID = 1;

        private static final Pattern PLAIN =
                Pattern.compile("[A-Za-z_/][A-Za-z0-9_./:@${}() -]*|[0-9]{1,9}([KMGTP]i?|[mshd])");

        @Override
        public boolean needToQuoteValue(String value) {
            return super.needToQuoteValue(value) || !PLAIN.matcher(value).matches();
        }
    }

    /** A Blueprint that was read, with the file that it is from. */
    record Found(Path file, Blueprint blueprint, Problems problems) {}

    /** A Blueprint without problems. */
    record Checked(Path file, CheckedBlueprint blueprint) {}

    /** Whether there were problems, which have been told. */
    boolean hasFailed() {
        return failed;
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** The Blueprints of files, without those with problems. */
    List<Checked> check(List<Path> files) {
        List<Found> found = new ArrayList<>();
        for (Path file : files) {
            Problems problems = new Problems();
            List<SourceNode> documents = read(file, problems);
            if (documents.isEmpty() && problems.isEmpty()) {
                tell(file, "the file is empty");
            }
            tell(file, problems);
            for (SourceNode document : documents) {
                Problems own = new Problems();
                Optional<Blueprint> blueprint = Blueprint.read(document, own);
                blueprint.ifPresent(read -> found.add(new Found(file, read, own)));
                if (blueprint.isEmpty()) {
                    tell(file, own);
                }
            }
        }
        Types types = types(found);
        List<Checked> checked = new ArrayList<>();
        for (Found each : found) {
            CheckedBlueprint result = BlueprintCheck.check(each.blueprint(), types, models.metadata(), each.problems());
            tell(each.file(), each.problems());
            if (each.problems().isEmpty()) {
                checked.add(new Checked(each.file(), result));
            }
        }
        return checked;
    }

    private Types types(List<Found> found) {
        List<Types> all = new ArrayList<>();
        if (openapi != null) {
            try {
                all.add(OpenApiTypes.read(openapi, models.metadata()));
            } catch (IOException e) {
                throw new InvalidConfigurationException(List.of(new ConfigurationProblem(
                        "--openapi", openapi.toString(), "a folder of OpenAPI v3 documents (" + reason(e) + ")")));
            }
        }
        JsonNode anything = JsonNodeFactory.instance
                .objectNode()
                .put("type", "object")
                .put("x-kubernetes-preserve-unknown-fields", true);
        found.forEach(each ->
                all.add(OpenApiTypes.of(Definition.of(each.blueprint().schema(), anything), models.metadata())));
        all.add(models);
        return Types.firstOf(all);
    }

    /** The documents of a file. */
    List<SourceNode> read(Path file, Problems problems) {
        try {
            return SourceReader.read(Files.readString(file, StandardCharsets.UTF_8), problems);
        } catch (IOException e) {
            throw new InvalidConfigurationException(List.of(
                    new ConfigurationProblem("FILE", file.toString(), "a file that can be read (" + reason(e) + ")")));
        }
    }

    private static String reason(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        return failure instanceof CharacterCodingException
                ? "it is not UTF-8"
                : failure.getClass() == IOException.class
                        ? message
                        : failure.getClass().getSimpleName();
    }

    /** Tells problems, a line each. */
    void tell(Path file, Problems problems) {
        for (Problem problem : problems.list()) {
            tell(file, problem.toString());
        }
    }

    private void tell(Path file, String problem) {
        failed = true;
        spec.commandLine().getErr().println(file + ": " + problem);
    }

    /** Prints an object, apart from the one before. */
    void print(ObjectNode object, String... comments) {
        out().println("---");
        for (String comment : comments) {
            out().println("# " + comment);
        }
        out().print(yaml(object));
        out().flush();
    }

    static String yaml(JsonNode node) {
        try {
            return YAML.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.busbar.blueprint.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import io.busbar.blueprint.read.BlueprintReader;
import io.busbar.blueprint.read.BlueprintReader.Checked;
import io.busbar.blueprint.read.BlueprintReader.Text;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.source.SourceReader;
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
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
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

    private final BlueprintReader reader =
            new BlueprintReader((file, problem) -> spec().commandLine().getErr().println(file + ": " + problem));

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

    /** Whether there were problems, which have been told. */
    boolean hasFailed() {
        return reader.hasFailed();
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private CommandSpec spec() {
        return spec;
    }

    /** The Blueprints of files, without those with problems. */
    List<Checked> check(List<Path> files) {
        return reader.check(texts(files), types());
    }

    /** The same of those that are to run in one operator. */
    List<Checked> checkForOneOperator(List<Text> texts) {
        return reader.checkForOneOperator(texts, types());
    }

    /** What files say. */
    List<Text> texts(List<Path> files) {
        return files.stream().map(BlueprintFiles::text).toList();
    }

    /** The texts that say which kinds templates may be of, by their files. */
    SortedMap<String, String> kinds() {
        try {
            return openapi == null ? new TreeMap<>() : OpenApiTypes.texts(openapi);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private Optional<Types> types() {
        try {
            return openapi == null ? Optional.empty() : Optional.of(OpenApiTypes.of(kinds(), reader.metadata()));
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private InvalidConfigurationException unreadable(IOException failure) {
        return new InvalidConfigurationException(List.of(new ConfigurationProblem(
                "--openapi", String.valueOf(openapi), "a folder of OpenAPI v3 documents (" + reason(failure) + ")")));
    }

    private static Text text(Path file) {
        try {
            return new Text(file.toString(), Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new InvalidConfigurationException(List.of(
                    new ConfigurationProblem("FILE", file.toString(), "a file that can be read (" + reason(e) + ")")));
        }
    }

    /** The documents of a file. */
    List<SourceNode> read(Path file, Problems problems) {
        return SourceReader.read(text(file).yaml(), problems);
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
        reader.tell(file.toString(), problems);
    }

    /** Tells something that is no problem. */
    void note(String line) {
        spec().commandLine().getErr().println("note: " + line);
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

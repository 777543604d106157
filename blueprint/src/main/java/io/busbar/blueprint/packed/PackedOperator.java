package io.busbar.blueprint.packed;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.blueprint.read.BlueprintReader;
import io.busbar.blueprint.read.BlueprintReader.Checked;
import io.busbar.blueprint.read.BlueprintReader.Text;
import io.busbar.blueprint.run.BlueprintOperator;
import io.busbar.blueprint.run.Revision;
import io.busbar.blueprint.types.OpenApiTypes;
import io.busbar.blueprint.types.Types;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.runtime.bundle.OperatorDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a jar is packed with: the operator's name and version, its Blueprints, the kinds that these were checked with, and
 * what its Blueprints were in jars before.
 *
 * <p>Immutable.
 *
 * @param blueprints that have been checked as those of one operator
 * @param kinds OpenAPI v3 documents and CustomResourceDefinitions
 * @param earlier the Blueprints of each jar before, the last one first
 */
public record PackedOperator(
        String name, String version, List<Text> blueprints, List<Text> kinds, List<List<Text>> earlier) {

    /** As many as there are in a cluster. */
    private static final int MOST_EARLIER = 3;

    static final String FOLDER = "META-INF/busbar/";
    static final String INDEX = FOLDER + "operator.json";

    private static final String PACKED = "one that blueprint pack has written";
    /** That a file from a jar has before its own name. */
    private static final Pattern NUMBER = Pattern.compile("^[0-9]+-");

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Names of files below the folder, in the order in which they were given. */
    private record Index(
            String name,
            String version,
            List<String> blueprints,
            List<String> kinds,
            @Nullable List<List<String>> earlier) {}

    public PackedOperator {
        blueprints = List.copyOf(blueprints);
        kinds = List.copyOf(kinds);
        earlier = earlier.stream().limit(MOST_EARLIER).map(List::copyOf).toList();
    }

    /**
     * That of a jar.
     *
     * @throws InvalidConfigurationException when that is packed with nothing, or not read
     */
    public static PackedOperator of(Path jar) {
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
            return of(loader);
        } catch (IOException unreadable) {
            throw invalid(jar.toString(), String.valueOf(unreadable.getMessage()), PACKED);
        }
    }

    /** What comes before the next one, as {@link #earlier} has it. */
    public List<List<Text>> untilNow() {
        return Stream.concat(Stream.of(blueprints), earlier.stream()).toList();
    }

    /**
     * That of the jar that a loader reads.
     *
     * @throws InvalidConfigurationException when that is packed with nothing, or not read
     */
    static PackedOperator of(ClassLoader jar) {
        try {
            Index index = JSON.readValue(resource(jar, INDEX), Index.class);
            return new PackedOperator(
                    index.name(),
                    index.version(),
                    texts(jar, index.blueprints()),
                    texts(jar, index.kinds()),
                    allTexts(jar, Objects.requireNonNullElse(index.earlier(), List.of())));
        } catch (IOException unreadable) {
            throw invalid("this jar", INDEX + ": " + unreadable.getMessage(), PACKED);
        }
    }

    private static List<List<Text>> allTexts(ClassLoader jar, List<List<String>> files) throws IOException {
        List<List<Text>> all = new ArrayList<>();
        for (List<String> each : files) {
            all.add(texts(jar, each));
        }
        return all;
    }

    private static List<Text> texts(ClassLoader jar, List<String> files) throws IOException {
        List<Text> texts = new ArrayList<>();
        for (String file : files) {
            texts.add(new Text(file, new String(resource(jar, FOLDER + file), StandardCharsets.UTF_8)));
        }
        return texts;
    }

    private static byte[] resource(ClassLoader jar, String name) throws IOException {
        try (InputStream resource = jar.getResourceAsStream(name)) {
            if (resource == null) {
                throw invalid("this jar", "without " + name, PACKED);
            }
            return resource.readAllBytes();
        }
    }

    /** The files that a jar has of it, by their names. */
    SortedMap<String, byte[]> files() {
        SortedMap<String, byte[]> files = new TreeMap<>();
        List<List<String>> before = new ArrayList<>();
        for (List<Text> jar : earlier) {
            before.add(add("earlier/" + (before.size() + 1) + "/", jar, files));
        }
        Index index =
                new Index(name, version, add("blueprints/", blueprints, files), add("kinds/", kinds, files), before);
        try {
            files.put(INDEX, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(index));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return files;
    }

    /** Two files in different folders may have one name. */
    private static List<String> add(String folder, List<Text> texts, Map<String, byte[]> files) {
        List<String> names = new ArrayList<>();
        for (Text text : texts) {
            String file = Path.of(text.file()).getFileName().toString();
            String name =
                    folder + (names.size() + 1) + "-" + NUMBER.matcher(file).replaceFirst("");
            files.put(FOLDER + name, text.yaml().getBytes(StandardCharsets.UTF_8));
            names.add(name);
        }
        return names;
    }

    /**
     * What runs.
     *
     * @throws InvalidConfigurationException with all that is wrong with the Blueprints, as where they were packed by a
     *     toolkit that takes other ones
     */
    OperatorDefinition definition() {
        return BlueprintOperator.ofRevisions(name, version, revisions(lost -> {}), Optional.empty());
    }

    /**
     * What each Blueprint is and was, the newest first.
     *
     * @param lost is told of each earlier one that cannot go on, and why: an instance that has it is left alone until it
     *     moves
     * @throws InvalidConfigurationException as {@link #definition} does
     */
    public List<List<Revision>> revisions(Consumer<String> lost) {
        List<ConfigurationProblem> problems = new ArrayList<>();
        BlueprintReader reader = new BlueprintReader((file, problem) ->
                problems.add(new ConfigurationProblem(file, problem, "a Blueprint that this toolkit takes")));
        List<Checked> checked = reader.checkForOneOperator(blueprints, types(reader));
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
        List<Revision> before = earlierRevisions(lost);
        return checked.stream()
                .map(each -> Revision.named(each.blueprint()))
                .map(newest -> withEarlier(newest, before, lost))
                .toList();
    }

    /** Each once, the last one first. */
    private List<Revision> earlierRevisions(Consumer<String> lost) {
        Map<String, Revision> all = new LinkedHashMap<>();
        for (List<Text> jar : earlier) {
            BlueprintReader reader = new BlueprintReader((file, problem) -> lost.accept(file + ": " + problem));
            for (Checked each : reader.check(jar, types(reader))) {
                Revision revision = Revision.named(each.blueprint());
                all.putIfAbsent(revision.name(), revision);
            }
        }
        return List.copyOf(all.values());
    }

    private static List<Revision> withEarlier(Revision newest, List<Revision> before, Consumer<String> lost) {
        List<Revision> all = new ArrayList<>(List.of(newest));
        for (Revision revision : before) {
            boolean isOfAnother = !revision.blueprint()
                    .blueprint()
                    .name()
                    .equals(newest.blueprint().blueprint().name());
            if (isOfAnother || revision.name().equals(newest.name())) {
                continue;
            }
            if (revision.mayGoOnBeside(newest)) {
                all.add(revision);
            } else {
                lost.accept("revision " + revision.name() + " is of another kind than the new one, or makes or reads"
                        + " kinds that the new one does not");
            }
        }
        return List.copyOf(all);
    }

    private Optional<Types> types(BlueprintReader reader) {
        SortedMap<String, String> texts = new TreeMap<>();
        kinds.forEach(text -> texts.put(text.file(), text.yaml()));
        try {
            return texts.isEmpty() ? Optional.empty() : Optional.of(OpenApiTypes.of(texts, reader.metadata()));
        } catch (IOException wrong) {
            throw invalid("kinds", String.valueOf(wrong.getMessage()), "OpenAPI v3 documents");
        }
    }

    private static InvalidConfigurationException invalid(String key, String value, String allowed) {
        return new InvalidConfigurationException(List.of(new ConfigurationProblem(key, value, allowed)));
    }
}

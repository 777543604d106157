package io.busbar.scaffold.files;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * What the scaffold has made in a project: the text of each file that is people's as it was made last, which is where a
 * merge begins, and the names of those that are made anew.
 *
 * <p>Immutable. It is kept in one file beside PROJECT, a line of which is a line of what was made, so that version
 * control shows what a newer scaffold has changed.
 */
public final class ScaffoldRecord {

    /** Of the file. */
    public static final String NAME = ".scaffold.json";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final DefaultPrettyPrinter LINES = new DefaultPrettyPrinter()
            .withArrayIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE.withLinefeed("\n"))
            .withObjectIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE.withLinefeed("\n"));

    private final SortedMap<String, String> made;
    private final SortedSet<String> generated;

    private ScaffoldRecord(SortedMap<String, String> made, SortedSet<String> generated) {
        this.made = Collections.unmodifiableSortedMap(made);
        this.generated = Collections.unmodifiableSortedSet(generated);
    }

    /** Nothing has been made. */
    public static ScaffoldRecord empty() {
        return new ScaffoldRecord(new TreeMap<>(), new TreeSet<>());
    }

    /**
     * Reads what {@link #text} has written.
     *
     * @throws InvalidConfigurationException when it is something else
     */
    public static ScaffoldRecord read(String text) {
        try {
            JsonNode root = JSON.readTree(text);
            if (!root.path("made").isObject() || !root.path("generated").isArray()) {
                throw unreadable("no record");
            }
            SortedMap<String, String> made = new TreeMap<>();
            root.path("made").properties().forEach(file -> made.put(file.getKey(), joined(file.getValue())));
            SortedSet<String> generated = new TreeSet<>();
            root.path("generated").forEach(file -> generated.add(file.asText()));
            return new ScaffoldRecord(made, generated);
        } catch (JsonProcessingException malformed) {
            throw unreadable(malformed.getOriginalMessage().lines().findFirst().orElse("no JSON"));
        }
    }

    private static InvalidConfigurationException unreadable(String what) {
        return new InvalidConfigurationException(List.of(new ConfigurationProblem(
                NAME, what, "the file that the scaffold has written; version control has it")));
    }

    private static String joined(JsonNode lines) {
        return StreamSupport.stream(lines.spliterator(), false)
                .map(line -> line.asText() + "\n")
                .collect(Collectors.joining());
    }

    /** As it is kept; the same for equal records. */
    public String text() {
        ObjectNode root = JSON.createObjectNode();
        root.put("about", "What the scaffold made, for its update to tell from what people wrote. Not to be edited.");
        ArrayNode names = root.putArray("generated");
        generated.forEach(names::add);
        ObjectNode files = root.putObject("made");
        made.forEach((path, text) -> text.lines().forEach(files.withArray("/" + pointer(path))::add));
        try {
            return JSON.writer(LINES).writeValueAsString(root) + "\n";
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String pointer(String path) {
        return path.replace("~", "~0").replace("/", "~1");
    }

    /** The text of a file as it was made last, if it is people's. */
    public Optional<String> made(String path) {
        return Optional.ofNullable(made.get(path));
    }

    /** Files that were made and are people's. */
    public SortedSet<String> madePaths() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(made.keySet()));
    }

    public SortedSet<String> generatedPaths() {
        return generated;
    }

    public boolean knows(String path) {
        return made.containsKey(path) || generated.contains(path);
    }

    /** With a file as it was made. */
    public ScaffoldRecord with(ScaffoldFile file) {
        ScaffoldRecord without = without(file.path());
        SortedMap<String, String> texts = new TreeMap<>(without.made);
        SortedSet<String> names = new TreeSet<>(without.generated);
        switch (file.owner()) {
            case PEOPLE -> texts.put(file.path(), file.text());
            case SCAFFOLD -> names.add(file.path());
        }
        return new ScaffoldRecord(texts, names);
    }

    public ScaffoldRecord without(String path) {
        SortedMap<String, String> texts = new TreeMap<>(made);
        texts.remove(path);
        SortedSet<String> names = new TreeSet<>(generated);
        names.remove(path);
        return new ScaffoldRecord(texts, names);
    }
}

package io.busbar.manifests.scorecard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.scorecard.TestResult.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Tests with labels, and what has come of those that were run: as text, or as the {@code TestList} of {@code
 * scorecard.operatorframework.io/v1alpha3} that operator-sdk prints.
 *
 * <p>One thread.
 */
public final class Scorecard {

    /** The label that tells the tests of a set from others. */
    public static final String SUITE = "suite";

    /** The label that is each test's own. */
    public static final String TEST = "test";

    private static final String API_VERSION = "scorecard.operatorframework.io/v1alpha3";

    private final String image;
    private final List<String> entrypoint;
    private final List<Entry> entries = new ArrayList<>();

    /**
     * @param asked whether somebody has asked for it: one that can't be run then counts as an error
     */
    private record Entry(
            String image,
            List<String> entrypoint,
            SortedMap<String, String> labels,
            boolean asked,
            Callable<List<TestResult>> run,
            List<TestResult> results) {}

    /**
     * Without tests.
     *
     * @param image in which this program is, for those who read it as operator-sdk's
     * @param entrypoint how it is called; a selector follows
     */
    public Scorecard(String image, List<String> entrypoint) {
        this.image = image;
        this.entrypoint = List.copyOf(entrypoint);
    }

    /** Adds operator-sdk's own tests, and those that the bundle has an image for. */
    public void add(BundleFolder bundle) {
        for (BundleTests test : BundleTests.ALL) {
            add(Map.of(SUITE, test.suite(), TEST, test.name() + "-test"), true, () -> List.of(test.on(bundle)));
        }
        Set<String> known = BundleTests.ALL.stream().map(BundleTests::name).collect(Collectors.toSet());
        for (JsonNode test : bundle.configuredTests()) {
            List<String> words = BundleFolder.list(test.path("entrypoint")).stream()
                    .map(JsonNode::asText)
                    .toList();
            if (words.stream().noneMatch(known::contains)) {
                addImage(test, words);
            }
        }
    }

    private void addImage(JsonNode test, List<String> words) {
        SortedMap<String, String> labels = new TreeMap<>();
        test.path("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        String needed = test.path("image").asText();
        String name = words.isEmpty() ? labels.getOrDefault(TEST, needed) : words.get(words.size() - 1);
        entries.add(new Entry(
                needed,
                words,
                labels,
                false,
                () -> List.of(TestResult.notRun(name, "it needs a cluster that runs the image " + needed)),
                new ArrayList<>()));
    }

    /**
     * Adds a test.
     *
     * @param labels at least {@link #TEST}
     * @param asked whether somebody has asked for it: if not, it may be left undone
     */
    public void add(Map<String, String> labels, boolean asked, Callable<List<TestResult>> run) {
        SortedMap<String, String> sorted = new TreeMap<>(labels);
        List<String> words = new ArrayList<>(entrypoint);
        words.add("-l");
        words.add(sorted.entrySet().stream()
                .filter(label -> !label.getKey().equals(SUITE))
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(",")));
        entries.add(new Entry(image, words, sorted, asked, run, new ArrayList<>()));
    }

    /** Keeps those with labels that pass. */
    public void select(Predicate<Map<String, String>> labels) {
        entries.removeIf(entry -> !labels.test(entry.labels()));
    }

    /**
     * Runs all that are left, one after the other. May block.
     *
     * @throws Exception of a test that was added
     */
    public void run() throws Exception {
        for (Entry entry : entries) {
            entry.results().addAll(entry.run().call());
        }
    }

    /** Whether each test that was asked for has passed. */
    public boolean passed() {
        return entries.stream()
                .filter(Entry::asked)
                .flatMap(entry -> entry.results().stream())
                .allMatch(result -> result.state() == State.PASS);
    }

    /** For people: as operator-sdk writes it, with a line at the end that counts. */
    public String text() {
        if (entries.isEmpty()) {
            return "0 tests selected\n";
        }
        StringBuilder text = new StringBuilder();
        entries.forEach(entry -> write(entry, text));
        return text.append(count()).append('\n').toString();
    }

    private static void write(Entry entry, StringBuilder text) {
        text.append("-".repeat(80)).append("\nImage:      ").append(entry.image());
        text.append("\nEntrypoint: [")
                .append(String.join(" ", entry.entrypoint()))
                .append("]\nLabels:\n");
        entry.labels().forEach((key, value) -> text.append("\t\"%s\":\"%s\"\n".formatted(key, value)));
        if (!entry.results().isEmpty()) {
            text.append("Results:\n");
        }
        for (TestResult result : entry.results()) {
            text.append("\tName: ").append(result.name()).append("\n\tState: ");
            text.append(word(result.state())).append("\n\n");
            write("Suggestions", result.suggestions(), text);
            write(result.state() == State.NOT_RUN ? "Reason" : "Errors", result.errors(), text);
            write("Log", result.log(), text);
        }
    }

    private static void write(String head, List<String> lines, StringBuilder text) {
        if (!lines.isEmpty()) {
            text.append('\t').append(head).append(":\n");
            lines.forEach(line -> text.append("\t\t").append(line).append('\n'));
            text.append('\n');
        }
    }

    private String count() {
        List<TestResult> results =
                entries.stream().flatMap(entry -> entry.results().stream()).toList();
        if (results.isEmpty()) {
            return entries.size() + (entries.size() == 1 ? " test" : " tests");
        }
        StringBuilder count = new StringBuilder(results.size() + " results: ");
        String separator = "";
        for (State state : State.values()) {
            long these =
                    results.stream().filter(result -> result.state() == state).count();
            if (these > 0) {
                count.append(separator).append(these).append(' ').append(word(state));
                separator = ", ";
            }
        }
        return count.toString();
    }

    private static String word(State state) {
        return switch (state) {
            case PASS -> "pass";
            case FAIL -> "fail";
            case ERROR -> "error";
            case NOT_RUN -> "not run";
        };
    }

    /**
     * For programs. That format has no word for a test that was not run: such a one has no result where nobody has
     * asked for it, and is an error, with the reason, where somebody has.
     */
    public String json() {
        ObjectNode list =
                new ObjectMapper().createObjectNode().put("kind", "TestList").put("apiVersion", API_VERSION);
        list.putArray("items");
        for (Entry entry : entries) {
            ObjectNode item =
                    list.withArray("/items").addObject().put("kind", "Test").put("apiVersion", API_VERSION);
            ObjectNode spec = item.putObject("spec").put("image", entry.image());
            entry.entrypoint().forEach(spec.putArray("entrypoint")::add);
            ObjectNode labels = spec.putObject("labels");
            entry.labels().forEach(labels::put);
            ObjectNode status = item.putObject("status");
            entry.results().stream()
                    .filter(result -> entry.asked() || result.state() != State.NOT_RUN)
                    .forEach(
                            result -> write(result, status.withArray("/results").addObject()));
        }
        return list.toPrettyString() + "\n";
    }

    private static void write(TestResult result, ObjectNode json) {
        boolean run = result.state() != State.NOT_RUN;
        json.put("name", result.name());
        if (!result.log().isEmpty()) {
            json.put("log", String.join("\n", result.log()) + "\n");
        }
        json.put("state", word(run ? result.state() : State.ERROR));
        result.errors().forEach(error -> json.withArray("/errors").add(run ? error : "not run: " + error));
        result.suggestions().forEach(json.withArray("/suggestions")::add);
        if (result.suggestions().isEmpty()) {
            json.remove("suggestions");
        }
    }
}

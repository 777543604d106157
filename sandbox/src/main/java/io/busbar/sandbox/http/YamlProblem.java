package io.busbar.sandbox.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is wrong with a text that is no YAML, in the words of libyaml, of which Go's parser is a translation.
 *
 * <p>Any thread.
 */
final class YamlProblem {

    private static final Pattern MARK = Pattern.compile(" in '?reader'?, line (\\d+), column \\d+:?.*");
    private static final Pattern EXPECTED = Pattern.compile("expected (.*), but (?:got|found) .*");
    private static final String STREAM_END = "<stream end>";
    private static final Map<String, String> WORDS = Map.of(
            "mapping values are not allowed here", "mapping values are not allowed in this context",
            "sequence entries are not allowed here", "block sequence entries are not allowed in this context");

    private YamlProblem() {}

    /** @param message of SnakeYAML: context and problem, each with where it is */
    static String of(String message) {
        List<String> lines = message.lines().toList();
        List<Integer> marks = new ArrayList<>();
        List<String> words = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            Matcher mark = MARK.matcher(lines.get(i));
            if (mark.matches()) {
                marks.add(Integer.parseInt(mark.group(1)) - 1);
                words.add(lines.get(i - 1));
            }
        }
        if (marks.isEmpty()) {
            return "yaml: "
                    + (lines.isEmpty() || message.contains("Exception") ? "a value cannot be read" : lines.get(0));
        }
        String problem = words.get(words.size() - 1);
        String context = lines.get(0);
        boolean scanned = !context.startsWith("while parsing");
        int end = problem.contains(STREAM_END) ? 1 : 0;
        int of = marks.get(marks.size() - 1) + end;
        int from = marks.size() == 1
                ? 0
                : marks.get(0).equals(marks.get(marks.size() - 1)) && of == end ? 0 : marks.get(0);
        int line = from == 0 ? of : from;
        String where = line == 0 ? "" : "line " + (scanned ? line + 1 : line) + ": ";
        return "yaml: " + where + words(problem, context);
    }

    private static String words(String problem, String context) {
        Matcher expected = EXPECTED.matcher(problem);
        if (expected.matches()) {
            return switch (expected.group(1)) {
                case "the node content" -> "did not find expected node content";
                case "<block end>" ->
                    context.contains("mapping") ? "did not find expected key" : "did not find expected '-' indicator";
                default ->
                    "did not find expected "
                            + expected.group(1).replace("'<", "<").replace(">'", ">");
            };
        }
        return problem.startsWith("found character ")
                ? "found character that cannot start any token"
                : WORDS.getOrDefault(problem, problem);
    }
}

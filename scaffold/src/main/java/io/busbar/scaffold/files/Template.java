package io.busbar.scaffold.files;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A text with places for words, <code>@{word}</code>, and lines that stand only where something holds:
 * <code>@[flag]</code> or
 * <code>@[!flag]</code> at their beginning, several if all must hold. Neither is anything in Java, XML, YAML or
 * Markdown.
 *
 * <p>Immutable.
 */
record Template(String name, String text) {

    private static final Pattern WORD = Pattern.compile("@\\{(\\w+)}");
    private static final Pattern FLAG = Pattern.compile("@\\[(!?)(\\w+)]");

    /** One that lies in the folder {@code templates} beside the package. */
    static Template named(String name) {
        try (InputStream resource = Template.class.getResourceAsStream("/io/busbar/scaffold/templates/" + name)) {
            if (resource == null) {
                throw new IllegalStateException("the jar lacks template " + name);
            }
            return new Template(name, new String(resource.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Fills it in.
     *
     * @param holds the flags that hold
     * @throws IllegalStateException for a word that is not given
     */
    String fill(Map<String, String> words, Set<String> holds) {
        return text.lines()
                .map(line -> line(line, holds))
                .filter(line -> !line.equals(DROPPED))
                .map(line -> words(line, words) + "\n")
                .collect(Collectors.joining());
    }

    /** No line of a template: it has a line break. */
    private static final String DROPPED = "\n";

    private static String line(String line, Set<String> holds) {
        Matcher flag = FLAG.matcher(line);
        int at = 0;
        while (flag.find() && flag.start() == at) {
            boolean negated = !flag.group(1).isEmpty();
            if (holds.contains(flag.group(2)) == negated) {
                return DROPPED;
            }
            at = flag.end();
        }
        return line.substring(at);
    }

    private String words(String line, Map<String, String> words) {
        return WORD.matcher(line).replaceAll(match -> {
            String word = words.get(match.group(1));
            if (word == null) {
                throw new IllegalStateException("template " + name + " wants a word " + match.group(1));
            }
            return Matcher.quoteReplacement(word);
        });
    }
}

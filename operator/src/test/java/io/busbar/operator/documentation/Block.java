package io.busbar.operator.documentation;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fenced block of a page. Immutable.
 *
 * @param page its path from the root of the repository
 * @param line of its opening fence, from 1
 * @param language empty where the fence names none
 * @param comment the text of the HTML comment on the line above the fence; empty where there is none
 * @param lines without the fences
 */
record Block(String page, int line, String language, String comment, List<String> lines) {

    private static final Pattern FOREIGN = Pattern.compile("not ours: (\\S.*)");

    Block {
        lines = List.copyOf(lines);
    }

    String text() {
        return String.join("\n", lines) + "\n";
    }

    /** The file that it is taken from. */
    Optional<String> source() {
        return comment.isEmpty() || project().isPresent() || comment.contains(" ")
                ? Optional.empty()
                : Optional.of(comment);
    }

    /** Whose code it is, where it is shown beside ours. */
    Optional<String> project() {
        Matcher foreign = FOREIGN.matcher(comment);
        return foreign.matches() ? Optional.of(foreign.group(1)) : Optional.empty();
    }

    /** Where it stands, as editors and terminals make a link of it. */
    String place() {
        return page + ":" + line;
    }

    @Override
    public String toString() {
        return place() + " " + language;
    }
}

package io.busbar.operator.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Holds a block to the file that it names: its lines stand there in a row, however far indented. A line that is nothing
 * but an ellipsis, in a comment or not, leaves out as many lines as it likes.
 *
 * <p>Immutable.
 */
final class Citation {

    private static final Set<String> LEFT_OUT = Set.of("…", "// …", "# …", "<!-- … -->");

    private final Block block;
    private final Path file;

    /**
     * @throws AssertionError when the file is none that is built or tested
     */
    Citation(Block block, String source) {
        this.block = block;
        this.file = Page.ROOT.resolve(source).normalize();
        if (!file.startsWith(Page.ROOT) || !Files.isRegularFile(file)) {
            throw new AssertionError(block.place() + ": there is no file " + source
                    + "; allowed in the comment above a block: the path of a file, from the root of the repository");
        }
        if (source.endsWith(".md") || source.contains("/target/")) {
            throw new AssertionError(
                    block.place() + ": " + source + " is not allowed; allowed: a file that is built or tested");
        }
        boolean built = source.startsWith("docs/examples/") || source.matches("[a-z-]+(/[a-z-]+)?/src/(main|test)/.*");
        if (source.endsWith(".java") && !built) {
            throw new AssertionError(block.place() + ": nothing compiles " + source
                    + "; allowed: sources of a module, and of docs/examples");
        }
    }

    /** @throws AssertionError naming the first line that does not stand there */
    void check() throws IOException {
        List<String> there = Files.readAllLines(file);
        List<List<String>> pieces = pieces();
        String missing = pieces.get(0).get(0);
        for (int start = 0; start < there.size(); start++) {
            String first = pieces.get(0).get(0);
            if (!there.get(start).strip().equals(first.strip())
                    || there.get(start).length() < first.length()) {
                continue;
            }
            String indentation = there.get(start).substring(0, there.get(start).length() - first.length());
            String unfound = unfound(pieces, there, start, indentation);
            if (unfound == null) {
                return;
            }
            missing = unfound;
        }
        throw new AssertionError(block.place() + ": this line is not in " + Page.ROOT.relativize(file)
                + " where it should be: " + missing.strip()
                + "\nAllowed: lines that follow each other there, and … on a line for what is left out.");
    }

    private List<List<String>> pieces() {
        List<List<String>> pieces = new ArrayList<>(List.of(new ArrayList<>()));
        for (String line : block.lines()) {
            if (LEFT_OUT.contains(line.strip())) {
                pieces.add(new ArrayList<>());
            } else {
                pieces.get(pieces.size() - 1).add(line);
            }
        }
        pieces.replaceAll(Citation::withoutBlankEnds);
        pieces.removeIf(List::isEmpty);
        if (pieces.isEmpty()) {
            throw new AssertionError(block.place() + ": this block is empty");
        }
        return pieces;
    }

    private static List<String> withoutBlankEnds(List<String> lines) {
        int from = 0;
        int to = lines.size();
        while (from < to && lines.get(from).isBlank()) {
            from++;
        }
        while (to > from && lines.get(to - 1).isBlank()) {
            to--;
        }
        return List.copyOf(lines.subList(from, to));
    }

    /** The first line that is missing; null where there is none. */
    private static String unfound(List<List<String>> pieces, List<String> there, int start, String indentation) {
        int at = start;
        for (List<String> piece : pieces) {
            String missing = piece.get(0);
            int found = -1;
            int last = piece == pieces.get(0) ? start : there.size() - piece.size();
            for (int i = at; i <= last && found < 0; i++) {
                int same = same(piece, there, i, indentation);
                if (same == piece.size()) {
                    found = i;
                } else if (same > 0) {
                    missing = piece.get(same);
                }
            }
            if (found < 0) {
                return missing;
            }
            at = found + piece.size();
        }
        return null;
    }

    /** How many lines of a piece stand at a place. */
    private static int same(List<String> piece, List<String> there, int at, String indentation) {
        return (int) Stream.iterate(0, i -> i < piece.size() && at + i < there.size(), i -> i + 1)
                .takeWhile(i -> piece.get(i).isBlank()
                        ? there.get(at + i).isBlank()
                        : there.get(at + i).equals(indentation + piece.get(i)))
                .count();
    }
}

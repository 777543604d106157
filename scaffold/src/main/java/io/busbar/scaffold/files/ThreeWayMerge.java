package io.busbar.scaffold.files;

import com.github.difflib.DiffUtils;
import com.github.difflib.patch.AbstractDelta;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Joins what two sides have made of one text, line by line: a place that one side has left alone becomes what the other
 * has made of it; a place that both have changed, and differently, is a conflict, shown with both sides and what was
 * there before, between the marks that version control uses.
 *
 * <p>Immutable.
 *
 * @param regions the places in their order; all that they hold of one side is that side, to the line
 */
public record ThreeWayMerge(List<Region> regions) {

    private static final String MINE = "<<<<<<< ";
    private static final String BASE = "||||||| ";
    private static final String MIDDLE = "=======";
    private static final String THEIRS = ">>>>>>> ";

    /** One place, as each of the three has it. */
    public record Region(List<String> base, List<String> mine, List<String> theirs) {

        public boolean isConflict() {
            return !mine.equals(base) && !theirs.equals(base) && !mine.equals(theirs);
        }

        /** What both agree on, or the one that has changed it. */
        List<String> merged() {
            return mine.equals(base) ? theirs : mine;
        }
    }

    public ThreeWayMerge {
        regions = List.copyOf(regions);
    }

    /**
     * Joins texts, whose lines end with a newline.
     *
     * @param base what both began with
     */
    public static ThreeWayMerge of(String base, String mine, String theirs) {
        List<String> from = lines(base);
        return new ThreeWayMerge(new Walk(from, lines(mine), lines(theirs)).regions());
    }

    /** Whether a text has the marks of a conflict that nobody has settled. */
    public static boolean hasMarks(String text) {
        return text.lines().anyMatch(line -> line.startsWith(MINE))
                && text.lines().anyMatch(line -> line.startsWith(THEIRS));
    }

    public long conflicts() {
        return regions.stream().filter(Region::isConflict).count();
    }

    /** The outcome, with marks around conflicts. */
    public String text(String mineName, String baseName, String theirName) {
        List<String> lines = new ArrayList<>();
        for (Region region : regions) {
            if (region.isConflict()) {
                lines.add(MINE + mineName);
                lines.addAll(region.mine());
                lines.add(BASE + baseName);
                lines.addAll(region.base());
                lines.add(MIDDLE);
                lines.addAll(region.theirs());
                lines.add(THEIRS + theirName);
            } else {
                lines.addAll(region.merged());
            }
        }
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    private static List<String> lines(String text) {
        return text.lines().toList();
    }

    /** Goes along the base, and along both sides' changes of it; for one use. */
    private static final class Walk {

        private final List<String> base;
        private final Side mine;
        private final Side theirs;
        private final List<Region> regions = new ArrayList<>();
        private int at;

        Walk(List<String> base, List<String> mine, List<String> theirs) {
            this.base = base;
            this.mine = new Side(base, mine);
            this.theirs = new Side(base, theirs);
        }

        List<Region> regions() {
            while (mine.hasNext() || theirs.hasNext()) {
                int start = Math.min(mine.nextStart(), theirs.nextStart());
                unchanged(start);
                int end = start;
                int grown;
                // Changes that touch belong together: whoever has changed the line beside has seen another text there.
                do {
                    grown = end;
                    end = Math.max(mine.takeUntil(end), theirs.takeUntil(end));
                } while (end > grown);
                regions.add(new Region(base.subList(start, end), mine.textOf(start, end), theirs.textOf(start, end)));
                at = end;
            }
            unchanged(base.size());
            return regions;
        }

        private void unchanged(int until) {
            if (until > at) {
                List<String> same = base.subList(at, until);
                regions.add(new Region(same, same, same));
                at = until;
            }
        }
    }

    /** What one side has changed. */
    private static final class Side {

        private final List<String> text;
        private final List<AbstractDelta<String>> changes;
        private int next;
        /** How much longer than the base the text is, before what comes next and before what was taken last. */
        private int shift;

        private int shiftBefore;

        Side(List<String> base, List<String> text) {
            this.text = text;
            this.changes = DiffUtils.diff(base, text).getDeltas();
        }

        boolean hasNext() {
            return next < changes.size();
        }

        int nextStart() {
            return hasNext() ? changes.get(next).getSource().getPosition() : Integer.MAX_VALUE;
        }

        /** Takes all changes that begin in the base at a line or before; how far in the base they reach. */
        int takeUntil(int line) {
            int end = line;
            while (hasNext() && nextStart() <= end) {
                AbstractDelta<String> change = changes.get(next);
                end = Math.max(end, nextStart() + change.getSource().size());
                shift += change.getTarget().size() - change.getSource().size();
                next++;
            }
            return end;
        }

        /** The text of what was taken since this was asked last. */
        List<String> textOf(int start, int end) {
            List<String> part = text.subList(start + shiftBefore, end + shift);
            shiftBefore = shift;
            return part;
        }
    }
}

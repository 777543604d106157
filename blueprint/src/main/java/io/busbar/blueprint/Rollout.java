package io.busbar.blueprint;

import io.busbar.blueprint.source.Fields;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How instances move to a new revision of their Blueprint. Immutable.
 *
 * @param paused whether none does
 * @param partition how many stay as they are; empty for none
 * @param maxUnavailable how many may be on their way, or not ready after it, at once; empty for all
 */
public record Rollout(boolean paused, Optional<Amount> partition, Optional<Amount> maxUnavailable) {

    /** All move at once. */
    public static final Rollout AT_ONCE = new Rollout(false, Optional.empty(), Optional.empty());

    /** A number, or a percentage of all. Immutable. */
    public record Amount(int number, boolean percentage) {

        private static final Pattern PERCENTAGE = Pattern.compile("(100|[1-9]?[0-9])%");

        /** Rounded up. */
        public int of(int total) {
            return percentage ? (int) ((long) number * total + 99) / 100 : number;
        }

        private static Optional<Amount> read(SourceNode written, int least, Problems problems) {
            boolean isWhole =
                    written.value().isIntegralNumber() && written.value().canConvertToInt();
            if (isWhole && written.value().intValue() >= least) {
                return Optional.of(new Amount(written.value().intValue(), false));
            }
            if (written.isText() && PERCENTAGE.matcher(written.text()).matches()) {
                int number = Integer.parseInt(
                        written.text().substring(0, written.text().length() - 1));
                if (number >= least) {
                    return Optional.of(new Amount(number, true));
                }
            }
            problems.add(
                    written.place(),
                    "must be a number, " + least + " or more, or a percentage up to 100%, and is " + written.shown());
            return Optional.empty();
        }
    }

    static Rollout read(SourceNode node, Problems problems) {
        Fields fields = new Fields(node, problems, "paused", "partition", "maxUnavailable");
        Optional<SourceNode> paused = fields.any("paused");
        paused.filter(written -> !written.value().isBoolean())
                .ifPresent(
                        written -> problems.add(written.place(), "must be true or false, and is " + written.shown()));
        return new Rollout(
                paused.map(written -> written.value().booleanValue()).orElse(false),
                fields.any("partition").flatMap(written -> Amount.read(written, 0, problems)),
                fields.any("maxUnavailable").flatMap(written -> Amount.read(written, 1, problems)));
    }
}

package io.busbar.sandbox.syntax;

import java.math.BigInteger;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One of the five fields of a schedule, refused in the words of the library that the API server asks, robfig/cron.
 *
 * <p>Immutable.
 *
 * @param names of its values from the least on, in lower case
 */
record CronField(int least, int most, List<String> names) {

    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
    private static final List<String> DAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");

    /** In the order in which they stand. */
    static final List<CronField> ALL = List.of(
            new CronField(0, 59, List.of()),
            new CronField(0, 23, List.of()),
            new CronField(1, 31, List.of()),
            new CronField(1, 12, MONTHS),
            new CronField(0, 6, DAYS));

    /**
     * The values that a field names, as a list of numbers: empty when it names none, a star when it is any.
     *
     * @throws IllegalArgumentException with what is wrong
     */
    String values(String text) {
        BitSet values = new BitSet();
        boolean any = false;
        for (String range : text.split(",", -1)) {
            any |= !range.isEmpty() && add(range, values);
        }
        return any ? "*" : values.stream().mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    /** Adds a range to the values. @return whether it is any value, a star without a step */
    private boolean add(String range, BitSet values) {
        String[] rangeAndStep = range.split("/", -1);
        String[] ends = rangeAndStep[0].split("-", -1);
        boolean star = ends[0].equals("*") || ends[0].equals("?");
        if (!star && ends.length > 2) {
            named(ends[0]);
            throw new IllegalArgumentException("too many hyphens: " + range);
        }
        int start = star ? least : named(ends[0]);
        int end = star ? most : ends.length == 1 ? start : named(ends[1]);
        if (rangeAndStep.length > 2) {
            throw new IllegalArgumentException("too many slashes: " + range);
        }
        int step = rangeAndStep.length == 1 ? 1 : number(rangeAndStep[1]);
        if (rangeAndStep.length == 2 && ends.length == 1) {
            end = most;
        }
        check(start, end, step, range);
        for (int value = start; value <= end && value >= 0; value += step) {
            values.set(value);
        }
        return star && step == 1;
    }

    private void check(int start, int end, int step, String range) {
        if (start < least) {
            throw new IllegalArgumentException(
                    "beginning of range (" + start + ") below minimum (" + least + "): " + range);
        }
        if (end > most) {
            throw new IllegalArgumentException("end of range (" + end + ") above maximum (" + most + "): " + range);
        }
        if (start > end) {
            throw new IllegalArgumentException(
                    "beginning of range (" + start + ") beyond end of range (" + end + "): " + range);
        }
        if (step == 0) {
            throw new IllegalArgumentException("step of range should be a positive number: " + range);
        }
    }

    private int named(String text) {
        int name = names.indexOf(text.toLowerCase(Locale.ROOT));
        return name < 0 ? number(text) : least + name;
    }

    private static int number(String text) {
        String problem = "failed to parse int from " + text + ": strconv.Atoi: parsing " + GoText.quote(text) + ": ";
        if (!text.matches("[-+]?[0-9]+")) {
            throw new IllegalArgumentException(problem + "invalid syntax");
        }
        BigInteger number = new BigInteger(text);
        if (number.bitLength() > 63) {
            throw new IllegalArgumentException(problem + "value out of range");
        }
        if (number.signum() < 0) {
            throw new IllegalArgumentException("negative number (" + number + ") not allowed: " + text);
        }
        return number.min(BigInteger.valueOf(Integer.MAX_VALUE)).intValue();
    }
}

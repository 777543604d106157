package io.busbar.sandbox.cel;

/**
 * From how much to how much a size or a cost may be.
 *
 * <p>Immutable. What gets too great for a number stays at the greatest.
 */
record Range(long least, long most) {

    static final Range NONE = new Range(0, 0);
    static final Range ONE = new Range(1, 1);
    static final Range UNKNOWN = new Range(0, Long.MAX_VALUE);

    static Range of(long fixed) {
        return new Range(fixed, fixed);
    }

    Range plus(Range other) {
        return new Range(sum(least, other.least), sum(most, other.most));
    }

    Range times(Range other) {
        return new Range(product(least, other.least), product(most, other.most));
    }

    /** Rounded up. */
    Range times(double factor) {
        return new Range((long) Math.ceil(least * factor), (long) Math.ceil(most * factor));
    }

    /** The least range that has both in it. */
    Range or(Range other) {
        return new Range(Math.min(least, other.least), Math.max(most, other.most));
    }

    static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    static long product(long one, long other) {
        return other != 0 && one > Long.MAX_VALUE / other ? Long.MAX_VALUE : one * other;
    }
}

package io.busbar.cel;

/**
 * How many steps the expressions about one object may still take.
 *
 * <p>One thread, for one object.
 */
public final class StepBudget {

    public static final long OF_OBJECT = 10_000_000;
    public static final long OF_CALL = 1_000_000;

    private final long ofCall;
    private long left;

    public StepBudget(long steps) {
        this(steps, OF_CALL);
    }

    /** @param ofCall how many steps a single evaluation may take */
    public StepBudget(long steps, long ofCall) {
        this.left = steps;
        this.ofCall = ofCall;
    }

    long ofCall() {
        return ofCall;
    }

    public boolean isSpent() {
        return left < 0;
    }

    public void spend(long steps) {
        left -= steps;
    }
}

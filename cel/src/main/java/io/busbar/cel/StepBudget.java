package io.busbar.cel;

/**
 * How many steps the expressions about one object may still take.
 *
 * <p>One thread, for one object.
 */
public final class StepBudget {

    public static final long OF_OBJECT = 10_000_000;
    public static final long OF_CALL = 1_000_000;

    private long left;

    public StepBudget(long steps) {
        this.left = steps;
    }

    public boolean isSpent() {
        return left < 0;
    }

    public void spend(long steps) {
        left -= steps;
    }
}

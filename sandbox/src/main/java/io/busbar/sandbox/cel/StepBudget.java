package io.busbar.sandbox.cel;

/**
 * How many steps the expressions about one object may still take.
 *
 * <p>One thread, for one object.
 */
final class StepBudget {

    static final long OF_OBJECT = 10_000_000;
    static final long OF_CALL = 1_000_000;

    private long left;

    StepBudget(long steps) {
        this.left = steps;
    }

    boolean isSpent() {
        return left < 0;
    }

    void spend(long steps) {
        left -= steps;
    }
}

package io.busbar.testkit;

/** Any thread. */
final class Failures {

    private Failures() {}

    /** What may fail. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    /**
     * Takes a step on a plain thread.
     *
     * @throws IllegalStateException when it fails: what is wrong, and the failure's own words
     */
    static void unchecked(String wrong, Step step) {
        try {
            step.run();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(wrong + ": interrupted", interrupted);
        } catch (Exception failure) {
            throw new IllegalStateException(wrong + ": " + failure.getMessage(), failure);
        }
    }
}

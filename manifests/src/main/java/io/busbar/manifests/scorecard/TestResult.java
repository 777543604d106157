package io.busbar.manifests.scorecard;

import java.util.List;

/**
 * What has come of one test.
 *
 * <p>Immutable.
 *
 * @param name of the test
 * @param log what was looked at, a line each
 * @param errors why it has not passed
 * @param suggestions what would be better
 */
public record TestResult(String name, State state, List<String> log, List<String> errors, List<String> suggestions) {

    /** How it ended. */
    public enum State {
        PASS,
        FAIL,
        /** It could not be told, as what it looks at can't be read. */
        ERROR,
        /** It could not be told, as what it needs is not there. */
        NOT_RUN
    }

    public TestResult {
        log = List.copyOf(log);
        errors = List.copyOf(errors);
        suggestions = List.copyOf(suggestions);
    }

    /** Passed where there are no errors, else failed. */
    public static TestResult of(String name, List<String> log, List<String> errors, List<String> suggestions) {
        return new TestResult(name, errors.isEmpty() ? State.PASS : State.FAIL, log, errors, suggestions);
    }

    /** Of a test for which something is not there. */
    public static TestResult notRun(String name, String reason) {
        return new TestResult(name, State.NOT_RUN, List.of(), List.of(reason), List.of());
    }
}

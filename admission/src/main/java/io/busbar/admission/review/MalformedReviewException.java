package io.busbar.admission.review;

/** A body that is no AdmissionReview. */
public final class MalformedReviewException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String problem;

    public MalformedReviewException(String problem) {
        super(problem, null, false, false);
        this.problem = problem.lines().findFirst().orElse("");
    }

    /** One line for people. */
    public String problem() {
        return problem;
    }
}

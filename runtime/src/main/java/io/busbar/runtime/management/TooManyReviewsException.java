package io.busbar.runtime.management;

/** Too many whom the cluster may not know ask at once. */
final class TooManyReviewsException extends Exception {

    private static final long serialVersionUID = 1L;

    TooManyReviewsException() {
        super("too many tokens that are not known yet", null, false, false);
    }
}

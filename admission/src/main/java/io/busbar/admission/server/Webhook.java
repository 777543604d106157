package io.busbar.admission.server;

import io.busbar.admission.review.MalformedReviewException;

/**
 * One path and what answers there.
 *
 * <p>Any thread, if the reviewer is.
 */
record Webhook(String path, Reviewer reviewer, WebhookMetrics metrics) {

    /** Answers the body of a request, pure and without I/O. */
    @FunctionalInterface
    interface Reviewer {

        /** Whether an answer may take longer than an event loop can wait: then it is made on a worker. */
        default boolean isLong() {
            return false;
        }

        /**
         * @throws MalformedReviewException when the body is no review of its kind
         */
        byte[] answer(byte[] body);
    }

    Answer answer(byte[] body) {
        try {
            return Answer.json(reviewer.answer(body));
        } catch (MalformedReviewException e) {
            return Answer.problem(400, e.problem());
        } catch (Throwable thrown) { // what is not answered waits for its timeout
            return Answer.problem(500, new PanicReport(path, metrics).of(thrown, ""));
        }
    }
}

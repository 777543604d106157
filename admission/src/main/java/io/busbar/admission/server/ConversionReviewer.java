package io.busbar.admission.server;

import io.busbar.admission.conversion.Conversions;
import io.busbar.admission.review.ConversionReview;
import io.busbar.common.guard.SlowCalls;

/**
 * Converts objects.
 *
 * <p>Any thread, if the converters are. One that throws what says nothing to the user refuses the review, and the log
 * learns how.
 */
record ConversionReviewer(Conversions conversions, PanicReport panics, SlowCalls slow) implements Webhook.Reviewer {

    @Override
    public byte[] answer(byte[] body) {
        ConversionReview review = ConversionReview.read(body);
        long begun = slow.begin();
        try {
            return review.answer(conversions);
        } catch (Throwable thrown) {
            return review.failure(panics.of(thrown, review.uid()));
        } finally {
            slow.end(begun, panics.path());
        }
    }
}

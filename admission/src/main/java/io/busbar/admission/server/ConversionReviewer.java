package io.busbar.admission.server;

import io.busbar.admission.conversion.Conversions;
import io.busbar.admission.review.ConversionReview;

/**
 * Converts objects: all of a list at once, which may be thousands.
 *
 * <p>Any thread, if the converters are. One that throws what says nothing to the user refuses the review, and the log
 * learns how.
 */
record ConversionReviewer(Conversions conversions, PanicReport panics) implements Webhook.Reviewer {

    @Override
    public boolean isLong() {
        return true;
    }

    @Override
    public byte[] answer(byte[] body) {
        ConversionReview review = ConversionReview.read(body);
        try {
            return review.answer(conversions);
        } catch (Throwable thrown) {
            return review.failure(panics.of(thrown, review.uid()));
        }
    }
}

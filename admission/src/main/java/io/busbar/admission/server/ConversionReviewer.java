package io.busbar.admission.server;

import io.busbar.admission.conversion.Conversions;
import io.busbar.admission.review.ConversionReview;
import io.opentelemetry.api.trace.Span;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts objects.
 *
 * <p>Any thread, if the converters are. One that fails with an error refuses the review, and the log learns how.
 */
record ConversionReviewer(Conversions conversions) implements Webhook.Reviewer {

    private static final Logger log = LoggerFactory.getLogger(ConversionReviewer.class);

    @Override
    public byte[] answer(byte[] body) {
        ConversionReview review = ConversionReview.read(body);
        try {
            return review.answer(conversions);
        } catch (Error e) {
            Span.current().recordException(e);
            log.atError()
                    .setCause(e)
                    .addKeyValue("webhook", Conversions.PATH)
                    .addKeyValue("uid", review.uid())
                    .log("Webhook failed");
            return review.failure("webhook " + Conversions.PATH
                    + " failed on this request; its log tells more under uid " + review.uid());
        }
    }
}

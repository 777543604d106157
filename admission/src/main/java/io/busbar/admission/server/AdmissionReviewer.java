package io.busbar.admission.server;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.review.MalformedReviewException;
import io.busbar.admission.review.Review;
import io.busbar.admission.review.ReviewReader;
import io.busbar.admission.review.ReviewWriter;
import io.opentelemetry.api.trace.Span;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks an admission rule.
 *
 * <p>Any thread, if the rule is. A rule that throws refuses the review: the API server learns that the webhook is at fault, the log
 * learns how.
 */
record AdmissionReviewer(String path, AdmissionRule rule) implements Webhook.Reviewer {

    private static final Logger log = LoggerFactory.getLogger(AdmissionReviewer.class);

    @Override
    public byte[] answer(byte[] body) {
        Review review = ReviewReader.read(body);
        AdmissionDecision decision = decide(review);
        ReviewTrace.decided(review, decision);
        return write(review, decision);
    }

    private AdmissionDecision decide(Review review) {
        try {
            return rule.review(review);
        } catch (MalformedReviewException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            return failed(review, e);
        }
    }

    private byte[] write(Review review, AdmissionDecision decision) {
        try {
            return ReviewWriter.write(review, decision);
        } catch (RuntimeException | Error e) {
            return ReviewWriter.write(review, failed(review, e));
        }
    }

    private AdmissionDecision failed(Review review, Throwable failure) {
        Span.current().recordException(failure);
        log.atError()
                .setCause(failure)
                .addKeyValue("webhook", path)
                .addKeyValue("uid", review.uid())
                .log("Webhook failed");
        return new AdmissionDecision.Denied(
                500,
                "InternalError",
                "webhook " + path + " failed on this request; its log tells more under uid " + review.uid(),
                List.of(),
                List.of());
    }
}

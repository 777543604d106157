package io.busbar.admission.server;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.review.MalformedReviewException;
import io.busbar.admission.review.Review;
import io.busbar.admission.review.ReviewReader;
import io.busbar.admission.review.ReviewWriter;
import io.busbar.common.guard.SlowCalls;
import java.time.Duration;
import java.util.List;

/**
 * Asks an admission rule.
 *
 * <p>Any thread, if the rule is. A rule that throws, errors included, refuses the review: the API server learns that
 * the webhook is at fault, the log learns how. One that takes its time on an event loop is named.
 */
record AdmissionReviewer(AdmissionRule rule, PanicReport panics, SlowCalls slow, ReviewLog log)
        implements Webhook.Reviewer {

    @Override
    public boolean isLong() {
        return rule.isLong();
    }

    @Override
    public byte[] answer(byte[] body) {
        long begun = log.isOn() ? System.nanoTime() : 0;
        Review review = ReviewReader.read(body);
        AdmissionDecision decision = decide(review);
        byte[] answer;
        try {
            answer = ReviewWriter.write(review, decision);
        } catch (Throwable thrown) {
            decision = failed(review, thrown);
            answer = ReviewWriter.write(review, decision);
        }
        tell(review, decision, answer.length, begun);
        return answer;
    }

    private void tell(Review review, AdmissionDecision decision, int answerBytes, long begun) {
        try {
            ReviewTrace.decided(review, decision);
            if (log.isOn()) {
                log.add(panics.path(), review, decision, answerBytes, Duration.ofNanos(System.nanoTime() - begun));
            }
        } catch (Throwable untold) {
            // Such as of a name in metadata that cannot be decoded: the answer counts for more.
        }
    }

    private AdmissionDecision decide(Review review) {
        long begun = slow.begin();
        try {
            return rule.review(review);
        } catch (MalformedReviewException e) {
            throw e;
        } catch (Throwable thrown) {
            return failed(review, thrown);
        } finally {
            if (!isLong()) {
                slow.end(begun, panics.path());
            }
        }
    }

    private AdmissionDecision failed(Review review, Throwable thrown) {
        return new AdmissionDecision.Denied(
                500, "InternalError", panics.of(thrown, review.uid()), List.of(), List.of());
    }
}

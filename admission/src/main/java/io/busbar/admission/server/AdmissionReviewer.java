package io.busbar.admission.server;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.review.MalformedReviewException;
import io.busbar.admission.review.Review;
import io.busbar.admission.review.ReviewReader;
import io.busbar.admission.review.ReviewWriter;
import io.busbar.common.guard.SlowCalls;
import io.vertx.core.Context;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Asks an admission rule.
 *
 * <p>Any thread, if the rule is. A rule that throws, errors included, refuses the review: the API server learns that
 * the webhook is at fault, the log learns how. One that takes its time on an event loop is named. The first reviews
 * load classes, for some hundred milliseconds, and are long for that.
 */
final class AdmissionReviewer implements Webhook.Reviewer {

    private static final int FIRST = 10;

    private final AdmissionRule rule;
    private final PanicReport panics;
    private final SlowCalls slow;
    private final ReviewLog log;
    private final AtomicInteger ended = new AtomicInteger();

    AdmissionReviewer(AdmissionRule rule, PanicReport panics, SlowCalls slow, ReviewLog log) {
        this.rule = rule;
        this.panics = panics;
        this.slow = slow;
        this.log = log;
    }

    @Override
    public boolean isLong() {
        return rule.isLong() || ended.get() < FIRST;
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
            if (Context.isOnEventLoopThread()) {
                slow.end(begun, panics.path());
            }
            if (ended.get() < FIRST) {
                ended.incrementAndGet();
            }
        }
    }

    private AdmissionDecision failed(Review review, Throwable thrown) {
        return new AdmissionDecision.Denied(
                500, "InternalError", panics.of(thrown, review.uid()), List.of(), List.of());
    }
}

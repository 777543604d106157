package io.busbar.admission.server;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.review.Review;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The last decisions of a webhook server, to be looked at. Objects are not kept.
 *
 * <p>Any thread.
 */
public final class ReviewLog {

    private static final int LONGEST_REASON = 1000;

    private final int most;
    private final Deque<Decided> decisions = new ArrayDeque<>();

    /**
     * What was decided about a request.
     *
     * <p>Immutable.
     *
     * @param webhook its path
     * @param operation in lower case
     * @param namespace empty for an object without one
     * @param name empty for an object that is still to get one
     * @param refusal why it is refused, shortened where that is long; empty where it is allowed
     * @param code of the refusal, as in HTTP; 200 where it is allowed
     * @param operations of the patch; 0 where there is none
     * @param answerBytes the whole answer, with the patch
     * @param took from when the whole request was there until the answer was
     */
    public record Decided(
            Instant at,
            String webhook,
            String operation,
            String kind,
            String namespace,
            String name,
            boolean dryRun,
            String refusal,
            int code,
            int operations,
            int answerBytes,
            Duration took) {}

    private ReviewLog(int most) {
        this.most = most;
    }

    /** @param most how many are kept */
    public static ReviewLog ofLast(int most) {
        return new ReviewLog(most);
    }

    /** Nothing is kept. */
    public static ReviewLog off() {
        return new ReviewLog(0);
    }

    boolean isOn() {
        return most > 0;
    }

    void add(String webhook, Review review, AdmissionDecision decision, int answerBytes, Duration took) {
        AdmissionDecision.Denied denied = decision instanceof AdmissionDecision.Denied refused ? refused : null;
        Decided decided = new Decided(
                Instant.now(),
                webhook,
                review.operation().name().toLowerCase(Locale.ROOT),
                review.kind(),
                review.namespace(),
                review.name(),
                review.dryRun(),
                denied == null ? "" : shortened(Objects.requireNonNullElse(denied.message(), "")),
                denied == null ? 200 : denied.code(),
                decision instanceof AdmissionDecision.Patched patched
                        ? patched.patch().size()
                        : 0,
                answerBytes,
                took);
        synchronized (decisions) {
            decisions.addFirst(decided);
            if (decisions.size() > most) {
                decisions.removeLast();
            }
        }
    }

    private static String shortened(String reason) {
        return reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON) + "…";
    }

    /** The latest first. */
    public List<Decided> last() {
        synchronized (decisions) {
            return List.copyOf(decisions);
        }
    }
}

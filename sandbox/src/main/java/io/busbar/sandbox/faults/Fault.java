package io.busbar.sandbox.faults;

import io.busbar.sandbox.faults.Answer.Ending;
import java.time.Duration;
import java.util.Optional;

/**
 * What is to happen to some requests, such as {@code Fault.on("create", "pods").refused(503).times(2)}, or
 * {@code Fault.on("*", "*").goneAway().withChance(0.02).untilRemoved()}.
 *
 * <p>Requests of clients only: the simulated parts of the cluster are not concerned. Calls of webhooks are another
 * matter, see {@link #ofWebhook}. Immutable; each method returns a changed copy.
 *
 * @param verb as in an RBAC rule: {@code get}, {@code list}, {@code watch}, {@code create}, {@code update},
 *     {@code patch}, {@code delete}, {@code deletecollection}; {@code *} for all
 * @param resource as in a CRD's name, the core group's without a dot, a subresource after a slash: {@code pods},
 *     {@code pods/status}, {@code deployments.apps}; {@code *} for all
 * @param name of the object; empty for any
 * @param hits how many requests it happens to
 * @param chance that it happens to a request which it concerns: above 0, up to 1
 * @param delay for which a request waits first, in real time
 * @param code of the Status that it is answered with; empty when it is carried out in the end
 * @param retryAfter when the client may come again; zero for no word about it
 * @param answer how it is answered then
 */
public record Fault(
        String verb,
        String resource,
        String name,
        int hits,
        double chance,
        Duration delay,
        Optional<Integer> code,
        Duration retryAfter,
        Answer answer) {

    private static final String CALL = "call";
    private static final String WEBHOOKS = "webhooks";

    /** What is not allowed is an {@link IllegalArgumentException}. */
    public Fault {
        if (hits < 1) {
            throw new IllegalArgumentException("times: " + hits + ", allowed: 1 or more");
        }
        if (!(chance > 0 && chance <= 1)) {
            throw new IllegalArgumentException("chance: " + chance + ", allowed: above 0, up to 1");
        }
        if (delay.isNegative() || retryAfter.isNegative()) {
            throw new IllegalArgumentException("a negative duration: " + delay + ", " + retryAfter);
        }
        code.filter(value -> value < 400 || value > 599).ifPresent(value -> {
            throw new IllegalArgumentException("code: " + value + ", allowed: 400 to 599");
        });
    }

    /** Happens to one request, with no effect until one is named. */
    public static Fault on(String verb, String resource) {
        return new Fault(verb, resource, "", 1, 1, Duration.ZERO, Optional.empty(), Duration.ZERO, Answer.AT_ONCE);
    }

    /** The next write of an object comes second: 409, as if somebody else had changed it since it was read. */
    public static Fault conflict(String verb, String resource) {
        return on(verb, resource).refused(409);
    }

    /**
     * Happens to one call of a webhook, with no effect until one is named: {@link #unreachable}, {@link #delayed}, for
     * longer than it may take, or {@link #refused} with a code that the webhook answers.
     *
     * @param webhook its name in the configuration, such as {@code mpod.kb.io}; that of the CRD for one that converts;
     *     {@code *} for any
     */
    public static Fault ofWebhook(String webhook) {
        return on(CALL, WEBHOOKS).named(webhook.equals("*") ? "" : webhook);
    }

    /**
     * Nobody listens where the webhook should be.
     *
     * @throws IllegalStateException when this is no fault {@linkplain #ofWebhook of a webhook}
     */
    public Fault unreachable() {
        if (!ofWebhook()) {
            throw new IllegalStateException("only webhooks are unreachable, not " + verb + " " + resource
                    + ": answerLost() and Faults.stop() are for the API server");
        }
        return answered(answer.ending(Ending.CUT));
    }

    /** Only requests for the object of this name; one that is created is not named by its request's path. */
    public Fault named(String value) {
        return new Fault(verb, resource, value, hits, chance, delay, code, retryAfter, answer);
    }

    public Fault times(int value) {
        return new Fault(verb, resource, name, value, chance, delay, code, retryAfter, answer);
    }

    /** Again and again, until it is removed. */
    public Fault untilRemoved() {
        return times(Integer.MAX_VALUE);
    }

    /**
     * Happens to some of the requests that it concerns, by chance, as with {@code --goaway-chance} of kube-apiserver.
     */
    public Fault withChance(double value) {
        return new Fault(verb, resource, name, hits, value, delay, code, retryAfter, answer);
    }

    /** The request waits; alone, it is carried out then. */
    public Fault delayed(Duration value) {
        return new Fault(verb, resource, name, hits, chance, value, code, retryAfter, answer);
    }

    /** The request is answered with a Status of this code, and not carried out. */
    public Fault refused(int value) {
        return new Fault(verb, resource, name, hits, chance, delay, Optional.of(value), retryAfter, answer);
    }

    /** Tells the client in header and Status, in whole seconds, when to come again. */
    public Fault retryAfter(Duration value) {
        return new Fault(verb, resource, name, hits, chance, delay, code, value, answer);
    }

    /** The request is carried out at once, and answered after a while; a watch begins after it. */
    public Fault answeredAfter(Duration value) {
        return answered(answer.after(value));
    }

    /**
     * The answer's body comes in dribs and drabs. A watch is not concerned.
     *
     * @param bytes that are sent at once, 1 or more
     * @param pause between them, in real time
     */
    public Fault answeredInPieces(int bytes, Duration pause) {
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes at once: " + bytes + ", allowed: 1 or more");
        }
        return answered(answer.inPieces(bytes, pause));
    }

    /**
     * The request is carried out, and the connection cut in place of the answer, with all other requests and watches
     * that are under way on it.
     */
    public Fault answerLost() {
        return answered(answer.ending(Ending.CUT));
    }

    /**
     * The request is carried out, and its HTTP/2 stream alone reset in place of the answer; a connection of HTTP/1.1 is
     * cut.
     */
    public Fault answerReset() {
        return answered(answer.ending(Ending.RESET));
    }

    /**
     * The request is answered, and the client told to go away, as kube-apiserver does with {@code --goaway-chance}: a
     * GOAWAY names the latest request that came, all up to that are answered, those that come later are ignored, and
     * the connection is closed when nothing is under way on it. Concerns requests over HTTP/2 only.
     */
    public Fault goneAway() {
        return answered(answer.ending(Ending.GOAWAY));
    }

    /**
     * The client is told to go away in place of an answer: the GOAWAY names an earlier request, so this one and all
     * later ones were not processed, and may be sent again. What had been carried out before is answered. Concerns
     * requests over HTTP/2 only; where a later request has been carried out already, this one is, too, and gets its
     * answer with the GOAWAY. A later request that has a body ends the connection, unlike that of a real server.
     */
    public Fault notProcessed() {
        return answered(answer.ending(Ending.NOT_PROCESSED));
    }

    private Fault answered(Answer value) {
        return new Fault(verb, resource, name, hits, chance, delay, code, retryAfter, value);
    }

    private boolean ofWebhook() {
        return verb.equals(CALL) && resource.equals(WEBHOOKS);
    }

    boolean concernsCall(String webhook) {
        return ofWebhook() && (name.isEmpty() || name.equals(webhook));
    }

    boolean concerns(String requestVerb, String requestResource, String requestName, boolean http2) {
        return (verb.equals("*") || verb.equals(requestVerb))
                && (resource.equals("*") || resource.equals(requestResource))
                && (name.isEmpty() || name.equals(requestName))
                && (http2 || !answer.needsHttp2());
    }
}

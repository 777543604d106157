package io.busbar.admission.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;

/**
 * One request to a webhook, from its head to its answer.
 *
 * <p>One context. What is refused early is answered at once; the rest of its body is read and dropped for a while, since a client
 * that is still sending when the connection closes may never see the answer.
 */
final class Exchange {

    /** Of HTTP/2: the answer is whole, the rest of the request is not wanted (RFC 9113, 8.1). */
    private static final long NO_ERROR = 0;

    /** How long, after the answer, a client may go on to send what is not wanted. */
    private static final long LINGER_NANOS = Duration.ofSeconds(2).toNanos();

    private final HttpServerRequest request;
    private final Webhook webhook;
    private final ReviewTrace trace;
    private final int maxBytes;
    private final long begun = System.nanoTime();
    private final Body body;
    private long deadline;
    private boolean answered;
    private boolean closing;
    private long dropped;

    /**
     * @param announced the Content-Length; negative where there is none
     */
    Exchange(
            HttpServerRequest request,
            Webhook webhook,
            ReviewTrace trace,
            int maxBytes,
            long announced,
            Duration timeout) {
        this.request = request;
        this.webhook = webhook;
        this.trace = trace;
        this.maxBytes = maxBytes;
        this.body = new Body(announced);
        this.deadline = begun + timeout.toNanos();
        webhook.metrics().begun();
    }

    void refuse(Answer answer) {
        refuse(answer, false);
    }

    void append(Buffer chunk) {
        if (answered) {
            dropped += chunk.length();
            if (dropped > maxBytes) {
                hangUp();
            }
        } else if (body.length() + chunk.length() > maxBytes) {
            tooLarge();
        } else {
            body.append(chunk);
        }
    }

    void tooLarge() {
        refuse(Answer.problem(413, "the review is larger than " + maxBytes + " bytes"), true);
    }

    /** The body has ended: answers, unless that was done. */
    void end(boolean lastOfConnection) {
        closing |= lastOfConnection;
        if (!answered) {
            answer(System.nanoTime() > deadline ? tooLate() : trace.answer(webhook, body.complete()));
        }
        if (closing && !multiplexed()) {
            request.connection().close();
        }
    }

    /** Called now and then while the body has not ended. */
    void expire(long now) {
        if (now <= deadline) {
            return;
        }
        if (answered) {
            hangUp();
        } else {
            refuse(tooLate(), true);
        }
    }

    /** Whether other requests are on the same connection, at the same time. */
    boolean multiplexed() {
        return request.version() == HttpVersion.HTTP_2;
    }

    /** Takes in no more of a body whose answer is sent. */
    private void hangUp() {
        if (multiplexed()) {
            request.response().reset(NO_ERROR);
        } else {
            request.connection().close();
        }
    }

    /** The connection is gone. */
    void cut() {
        if (!answered) {
            answered = true;
            webhook.metrics().cut();
            trace.cut();
        }
    }

    private static Answer tooLate() {
        return Answer.problem(504, "the review did not arrive within its timeout");
    }

    private void refuse(Answer answer, boolean close) {
        closing = close;
        deadline = System.nanoTime() + LINGER_NANOS;
        answer(answer);
    }

    private void answer(Answer answer) {
        answered = true;
        Responses.send(request.response(), answer, closing && !multiplexed());
        trace.answered(answer.code());
        webhook.metrics().answered(answer.code(), Duration.ofNanos(System.nanoTime() - begun));
    }
}

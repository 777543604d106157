package io.busbar.admission.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;

/**
 * One request to a webhook, from its head to its answer.
 *
 * <p>One context. What is refused early is answered at once; the rest of its body is read and dropped for a while, since a client
 * that is still sending when the connection closes may never see the answer.
 */
final class Exchange {

    /** How long, after the answer, a client may go on to send what is not wanted. */
    private static final long LINGER_NANOS = Duration.ofSeconds(2).toNanos();

    private final HttpServerRequest request;
    private final Webhook webhook;
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
    Exchange(HttpServerRequest request, Webhook webhook, int maxBytes, long announced, Duration timeout) {
        this.request = request;
        this.webhook = webhook;
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
                request.connection().close();
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
            answer(System.nanoTime() > deadline ? tooLate() : webhook.answer(body.complete()));
        }
        if (closing) {
            request.connection().close();
        }
    }

    /** Called now and then while the body has not ended. */
    void expire(long now) {
        if (now <= deadline) {
            return;
        }
        if (answered) {
            request.connection().close();
        } else {
            refuse(tooLate(), true);
        }
    }

    /** The connection is gone. */
    void cut() {
        if (!answered) {
            answered = true;
            webhook.metrics().cut();
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
        Responses.send(request.response(), answer, closing);
        webhook.metrics().answered(answer.code(), Duration.ofNanos(System.nanoTime() - begun));
    }
}

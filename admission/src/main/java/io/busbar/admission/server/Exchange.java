package io.busbar.admission.server;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;

/**
 * One request to a webhook, from its head until its answer is written.
 *
 * <p>One context. What is refused early is answered at once; then the connection stays open for a while, or the body is
 * read and dropped where it can be used again: a client that is still sending when the connection closes may never see
 * the answer.
 */
final class Exchange implements OpenRequest {

    /** Of HTTP/2: the answer is whole, the rest of the request is not wanted (RFC 9113, 8.1). */
    private static final long NO_ERROR = 0;

    /** How long, after the answer, a client has to read it before its connection is cut off. */
    private static final long LINGER_NANOS = Duration.ofSeconds(5).toNanos();

    /** The same for HTTP/2, where nothing is cut off; until then the body holds up others on the connection. */
    private static final long LINGER_HTTP2_NANOS = Duration.ofSeconds(2).toNanos();

    /** How long a client may take to read the answer. */
    private static final long UNREAD_NANOS = Duration.ofSeconds(10).toNanos();

    private final HttpServerRequest request;
    private final Webhook webhook;
    private final ReviewTrace trace;
    private final BodyLimits limits;
    private final ArrivingBodies arriving;
    private final BodyBudget.Share share;
    private final WorkerExecutor workers;
    private final Body body;
    private final long begun = System.nanoTime();
    private final Duration timeout;
    private long lastBytes = begun;
    private long answeredAt;
    private boolean received;
    private boolean answered;
    private boolean well;
    private boolean closing;
    private long came;
    private boolean paused;
    private final Promise<Void> written = Promise.promise();

    /**
     * @param workers for what an event loop cannot wait for
     * @param announced the Content-Length; negative where there is none
     */
    Exchange(
            HttpServerRequest request,
            Webhook webhook,
            ReviewTrace trace,
            BodyLimits limits,
            ArrivingBodies arriving,
            BodyBudget.Share share,
            WorkerExecutor workers,
            long announced) {
        this.request = request;
        this.webhook = webhook;
        this.trace = trace;
        this.limits = limits;
        this.arriving = arriving;
        this.share = share;
        this.workers = workers;
        this.body = new Body(announced, arriving.pieces());
        this.timeout = Timeouts.of(request.query(), limits.timeout(), BodyLimits.LONGEST);
        webhook.metrics().begun();
        arriving.begin(this);
    }

    void refuse(Answer answer) {
        refuse(answer, false);
    }

    void append(Buffer chunk) {
        lastBytes = System.nanoTime();
        if (!answered || !closing) {
            arriving.came(this, came, chunk.length());
        }
        came += chunk.length();
        if (answered) {
            if (came > 2L * limits.most()) {
                hangUp();
            }
        } else if (body.length() + chunk.length() > limits.most()) {
            tooLarge();
        } else if (arriving.makeRoom(this, share, body.capacityWith(chunk))) {
            body.append(chunk);
        } else {
            makeWay();
        }
    }

    void tooLarge() {
        refuse(Answer.problem(413, "the review is larger than " + limits.most() + " bytes"), true);
    }

    /** Leaves to the client's system what it has not sent yet, until its turn comes. */
    void pauseReading() {
        paused = true;
        setReading(false);
    }

    void resumeReading() {
        if (paused && !(answered && closing)) {
            paused = false;
            lastBytes = System.nanoTime();
            setReading(true);
        }
    }

    private void setReading(boolean on) {
        if (!multiplexed()) {
            // Asked of the connection: the request itself would be sent, and keep, some more.
            OpenConnections.setReading(request.connection(), on);
        } else if (on) {
            request.resume();
        } else {
            request.pause();
        }
    }

    /** Gives up, for the sake of others, a body that has not arrived. */
    void makeWay() {
        refuse(Answer.problem(503, "too many reviews are arriving at once"), true);
    }

    /** Whether it takes memory, and much of it. */
    boolean holds(boolean much) {
        return much ? share.isLarge() : !share.isEmpty();
    }

    /** The body has ended: answers, unless that was done. */
    void end(boolean lastOfConnection) {
        received = true;
        closing |= lastOfConnection;
        arriving.ended(this);
        resumeReading();
        if (answered || isLate(System.nanoTime())) {
            conclude(tooLate());
            return;
        }
        byte[] review = body.complete();
        if (webhook.reviewer().isLong()) {
            workers.executeBlocking(() -> trace.answer(webhook, review), false).onSuccess(this::conclude);
        } else {
            conclude(trace.answer(webhook, review));
        }
    }

    /** Answers, unless that was done, and closes a connection that is to be. */
    private void conclude(Answer answer) {
        if (!answered) {
            answer(answer);
        }
        if (closing && !multiplexed()) {
            request.connection().close();
        }
    }

    @Override
    public void expire(long now) {
        if (answered) {
            if (now - answeredAt > (received ? UNREAD_NANOS : lingerNanos())) {
                hangUp();
            }
        } else if (isLate(now)) {
            refuse(tooLate(), true);
        } else if (!paused && now - lastBytes > limits.stall().toNanos()) {
            refuse(
                    Answer.problem(
                            408, "the review stalled for " + limits.stall().toMillis() + " ms"),
                    true);
        }
    }

    @Override
    public boolean multiplexed() {
        return request.version() == HttpVersion.HTTP_2;
    }

    /** Completes or fails once nothing of the answer is left to be written. */
    Future<Void> written() {
        return written.future();
    }

    /** Whether a review was answered, be it that it was refused. */
    boolean well() {
        return well;
    }

    @Override
    public void cut() {
        free();
        if (!answered) {
            answered = true;
            webhook.metrics().cut();
            trace.cut();
        }
    }

    private long lingerNanos() {
        return multiplexed() ? LINGER_HTTP2_NANOS : LINGER_NANOS;
    }

    /** Takes in no more of a body whose answer is sent, and writes no more of an answer that is not read. */
    private void hangUp() {
        if (multiplexed()) {
            request.response().reset(NO_ERROR);
        } else {
            OpenConnections.cutOff(request.connection());
        }
    }

    private boolean isLate(long now) {
        return now - begun > timeout.toNanos();
    }

    private static Answer tooLate() {
        return Answer.problem(504, "the review did not arrive within its timeout");
    }

    private void refuse(Answer answer, boolean close) {
        closing = close;
        answer(answer);
        if (close) {
            // To read on, only to drop it, would cost as much as a review.
            setReading(false);
        }
    }

    private void answer(Answer answer) {
        answered = true;
        well = answer.code() == 200;
        free();
        answeredAt = System.nanoTime();
        // First counted, then sent: who has read the answer finds it in the metrics.
        trace.answered(answer.code());
        webhook.metrics().answered(answer.code(), Duration.ofNanos(answeredAt - begun));
        Responses.send(request.response(), answer, closing && !multiplexed()).onComplete(written);
    }

    private void free() {
        arriving.ended(this);
        share.release();
        body.drop();
    }
}

package io.busbar.sandbox.faults;

import java.time.Duration;

/**
 * The way in which a request is answered, once it has been carried out or refused.
 *
 * <p>Immutable.
 *
 * @param delay between the work and the answer, in real time
 * @param piece bytes of the body that are sent at once; zero for all of them. The events of a watch are not concerned
 * @param pause between two pieces, in real time
 */
public record Answer(Duration delay, int piece, Duration pause, Ending ending) {

    /** At once, as a whole, on a connection that stays. */
    public static final Answer AT_ONCE = new Answer(Duration.ZERO, 0, Duration.ZERO, Ending.STAYS);

    /** What becomes of the connection. */
    public enum Ending {
        /** It stays. */
        STAYS,
        /** It is cut in place of the answer, with all that is under way on it. */
        CUT,
        /**
         * The request's HTTP/2 stream is reset in place of the answer, all others go on. HTTP/1.1 has one at a time: it
         * is cut.
         */
        RESET,
        /**
         * The client is told to go away (GOAWAY), gets this answer and those to all earlier requests, and the
         * connection is closed.
         */
        GOAWAY,
        /**
         * The client is told to go away, and that this request and those that came after it were not processed; and
         * they are not.
         */
        NOT_PROCESSED
    }

    /** What is not allowed is an {@link IllegalArgumentException}. */
    public Answer {
        if (delay.isNegative() || pause.isNegative()) {
            throw new IllegalArgumentException("a negative duration: " + delay + ", " + pause);
        }
        if (piece < 0) {
            throw new IllegalArgumentException("bytes at once: " + piece + ", allowed: 0 or more");
        }
    }

    Answer after(Duration value) {
        return new Answer(value, piece, pause, ending);
    }

    Answer inPieces(int bytes, Duration between) {
        return new Answer(delay, bytes, between, ending);
    }

    Answer ending(Ending value) {
        return new Answer(delay, piece, pause, value);
    }

    /** HTTP/1.1 has no frame to say it in. */
    boolean needsHttp2() {
        return ending == Ending.GOAWAY || ending == Ending.NOT_PROCESSED;
    }
}

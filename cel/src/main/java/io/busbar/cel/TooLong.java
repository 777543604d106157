package io.busbar.cel;

/**
 * Ends an evaluation that takes too many steps, or comes to something too large. An Error, since CEL takes any Exception
 * for the value of a part.
 */
final class TooLong extends Error {

    static final String WORDS = "operation cancelled: actual cost limit exceeded";

    private static final long serialVersionUID = 1;

    TooLong() {
        super(WORDS, null, false, false);
    }
}

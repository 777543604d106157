package io.busbar.sandbox.select;

/** A selector that the API server refuses; the message is the one it sends. */
public final class SelectorException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    public SelectorException(String message) {
        super(message);
    }
}

package io.busbar.reconciler;

/** Says that a reconcile failed for a reason that no retry mends: it is logged and counted, and waits for a change. */
public final class TerminalException extends Exception {

    private static final long serialVersionUID = 1L;

    public TerminalException(String message) {
        super(message);
    }

    public TerminalException(String message, Throwable cause) {
        super(message, cause);
    }
}

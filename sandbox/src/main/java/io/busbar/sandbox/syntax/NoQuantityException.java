package io.busbar.sandbox.syntax;

/** A text stands where a quantity is due. */
public final class NoQuantityException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public NoQuantityException() {
        super("quantities must match the regular expression '" + Quantity.EXPRESSION + "'");
    }
}

package io.busbar.sandbox.core;

/** A text stands where a quantity is due. */
final class NoQuantityException extends RuntimeException {

    private static final long serialVersionUID = 1;

    NoQuantityException() {
        super("quantities must match the regular expression '" + Quantity.EXPRESSION + "'");
    }
}

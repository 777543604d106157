package io.busbar.operator.mysqlcluster.bed;

/** What a Pod refers to is not there, or not yet: its container waits for it. */
final class MissingReferenceException extends Exception {

    private static final long serialVersionUID = 1;

    MissingReferenceException(String message) {
        super(message);
    }
}

package io.busbar.sandbox.http;

/**
 * There is nothing behind a URL, not even somebody to say so in a Status. Immutable; no stack trace, as it is for the
 * client.
 */
final class NoSuchPage extends RuntimeException {

    private static final long serialVersionUID = 1;

    static final Reply REPLY = Reply.text(404, "404 page not found\n");

    NoSuchPage() {
        super(null, null, false, false);
    }
}

package io.busbar.watcher.wire;

import java.io.IOException;

/** The API server, or something in front of it, sent what is neither a list nor a watch. */
public final class UnreadableResponseException extends IOException {

    private static final long serialVersionUID = 1L;

    public UnreadableResponseException(String message) {
        super(message);
    }
}

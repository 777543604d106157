package io.busbar.common.internal.certificate;

import java.security.KeyException;

/** A private key in no form that we read; the message, one line, holds nothing of the key. */
public final class UnreadableKeyException extends KeyException {

    private static final long serialVersionUID = 1L;

    UnreadableKeyException(String message) {
        super(message);
    }
}

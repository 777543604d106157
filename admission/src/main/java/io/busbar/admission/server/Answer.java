package io.busbar.admission.server;

import io.vertx.core.buffer.Buffer;

/** An HTTP answer. Immutable, as long as nobody writes to the body. */
record Answer(int code, CharSequence contentType, Buffer body) {

    private static final String TEXT = "text/plain; charset=utf-8";

    static Answer json(byte[] body) {
        return new Answer(200, "application/json", Buffer.buffer(body));
    }

    /** A request that no webhook is asked about, with one line for people. */
    static Answer problem(int code, String message) {
        return new Answer(code, TEXT, Buffer.buffer(message + "\n"));
    }
}

package io.busbar.sandbox.testkit;

import io.vertx.core.Vertx;

/**
 * The Vertx of all sandboxes of a test run that bring none: one event loop for each is enough.
 *
 * <p>Any thread.
 */
record SharedVertx(Vertx vertx) implements AutoCloseable {

    SharedVertx() {
        this(Vertx.vertx());
    }

    @Override
    public void close() {
        ClassSandbox.await(vertx.close());
    }
}

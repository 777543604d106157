package io.busbar.sandbox.faults;

import io.vertx.core.Future;

/** A lag that began. Any thread. */
public interface InjectedLag {

    /** Ends it: what was held back is told. Completes on the sandbox's context. */
    Future<Void> release();
}

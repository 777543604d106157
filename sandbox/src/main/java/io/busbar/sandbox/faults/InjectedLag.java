package io.busbar.sandbox.faults;

import java.util.concurrent.CompletableFuture;

/** A lag that began. Any thread. */
public interface InjectedLag {

    /** Ends it: what was held back is told. Completes on the sandbox's context. */
    CompletableFuture<Void> release();
}

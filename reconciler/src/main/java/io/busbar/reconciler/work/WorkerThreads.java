package io.busbar.reconciler.work;

import io.vertx.core.ThreadingModel;

/** What reconciles run on. Immutable. */
public enum WorkerThreads {
    /** Threads of a pool that each controller has for itself. */
    PLATFORM(ThreadingModel.WORKER, 17),
    /** Virtual threads, from Java 21 on. */
    VIRTUAL(ThreadingModel.VIRTUAL_THREAD, 21);

    private final ThreadingModel model;
    private final int since;

    WorkerThreads(ThreadingModel model, int since) {
        this.model = model;
        this.since = since;
    }

    /** Whether this Java has them. */
    public boolean available() {
        return Runtime.version().feature() >= since;
    }

    /**
     * @throws IllegalStateException when this Java does not have them
     */
    ThreadingModel model() {
        if (!available()) {
            throw new IllegalStateException("worker threads " + name() + " need Java " + since
                    + " or later; this is Java " + Runtime.version().feature());
        }
        return model;
    }
}

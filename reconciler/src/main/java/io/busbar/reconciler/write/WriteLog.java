package io.busbar.reconciler.write;

import io.busbar.reconciler.view.PastReconcile.Written;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What is asked of the API server on behalf of one reconcile, on its own thread and on those that it hands its context
 * to: requests that are to change something.
 *
 * <p>Any thread.
 */
public final class WriteLog {

    /** More is counted only. */
    private static final int MOST = 10;

    private static final ContextKey<WriteLog> KEY = ContextKey.named("io.busbar.reconciler.write");

    private final List<Written> first = new ArrayList<>();
    private int unlisted;

    /** Runs something whose requests are written down here. */
    public <T> T around(Supplier<T> work) {
        return Context.current().with(KEY, this).wrapSupplier(work).get();
    }

    static void note(String method, String path, int code) {
        WriteLog log = Context.current().get(KEY);
        if (log != null) {
            int query = path.indexOf('?');
            log.add(new Written(method, query < 0 ? path : path.substring(0, query), code));
        }
    }

    private synchronized void add(Written written) {
        if (first.size() < MOST) {
            first.add(written);
        } else {
            unlisted++;
        }
    }

    /** The first of them. */
    public synchronized List<Written> first() {
        return List.copyOf(first);
    }

    /** How many there were besides. */
    public synchronized int unlisted() {
        return unlisted;
    }
}

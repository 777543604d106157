package io.busbar.reconciler.work;

import io.busbar.common.bus.ReconcileTask;
import io.busbar.common.guard.Guard;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interrupts the threads of a controller's reconciles when their time is up.
 *
 * <p>One that goes on all the same keeps its worker and its key: two reconciles of one key would be worse. A warning
 * says so after {@link #PATIENCE}, and {@link #overdue()} counts it.
 *
 * <p>Any thread.
 */
final class Deadlines {

    private static final Logger log = LoggerFactory.getLogger(Deadlines.class);
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private final String controller;
    private final Duration limit;
    private final ScheduledExecutorService timer;
    private final Guard guard;
    private final Set<Run> runs = ConcurrentHashMap.newKeySet();

    Deadlines(String controller, Duration limit, ScheduledExecutorService timer, Guard guard) {
        this.controller = controller;
        this.limit = limit;
        this.timer = timer;
        this.guard = guard;
    }

    /** How a run ended. */
    enum End {
        IN_TIME,
        TIMED_OUT,
        STOPPED
    }

    /** Starts the time of a reconcile on the calling thread, which has to {@link Run#end()} it. */
    Run begin(ReconcileTask task) {
        Run run = new Run(task, Thread.currentThread());
        run.schedule();
        runs.add(run);
        return run;
    }

    /** Interrupts all that run, since there is no time left for any. */
    void stopAll() {
        runs.forEach(run -> guard.run(() -> run.interrupt(End.STOPPED)));
    }

    /** How many go on although they have been interrupted. */
    int overdue() {
        return (int) runs.stream().filter(Run::isOverdue).count();
    }

    /** Whether a reconcile goes on although it has been interrupted. */
    boolean isOverdue(String reconcileId) {
        return runs.stream()
                .anyMatch(run -> run.isOverdue() && run.task.reconcileId().equals(reconcileId));
    }

    final class Run {
        private final ReentrantLock lock = new ReentrantLock();
        private final ReconcileTask task;
        private final Thread thread;
        private volatile End end = End.IN_TIME;
        private boolean ended;
        private @Nullable ScheduledFuture<?> next;

        private Run(ReconcileTask task, Thread thread) {
            this.task = task;
            this.thread = thread;
        }

        private void schedule() {
            locked(() -> next = timer.schedule(this::expire, limit.toNanos(), TimeUnit.NANOSECONDS));
        }

        private void expire() {
            guard.run(() -> interrupt(End.TIMED_OUT));
        }

        private void interrupt(End why) {
            locked(() -> {
                if (!ended && end == End.IN_TIME) {
                    end = why;
                    thread.interrupt();
                    next = timer.schedule(this::warn, PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
                }
            });
        }

        private void warn() {
            log.atWarn()
                    .addKeyValue("controller", controller)
                    .addKeyValue("namespace", task.key().namespace())
                    .addKeyValue("name", task.key().name())
                    .addKeyValue("reconcileID", task.reconcileId())
                    .log("the reconcile ignores its interrupt; its key and its worker wait until it ends");
        }

        private boolean isOverdue() {
            return end != End.IN_TIME;
        }

        /** Ends the run: no interrupt comes after this, and none is left over. */
        End end() {
            locked(() -> {
                ended = true;
                if (next != null) {
                    next.cancel(false);
                }
            });
            runs.remove(this);
            Thread.interrupted();
            return end;
        }

        private void locked(Runnable change) {
            lock.lock();
            try {
                change.run();
            } finally {
                lock.unlock();
            }
        }
    }
}

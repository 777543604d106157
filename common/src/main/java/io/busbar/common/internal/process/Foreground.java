package io.busbar.common.internal.process;

import io.busbar.common.guard.Thrown;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a process running until SIGINT or SIGTERM, then stops it in order. For the main thread, which it blocks. */
public final class Foreground {

    private static final Logger log = LoggerFactory.getLogger(Foreground.class);

    private Foreground() {}

    /** May fail, and may block. */
    public interface Start {

        /**
         * Returns once it runs, or goes on for as long as all is well.
         *
         * @param atStop takes what is to be closed then, the last one first
         */
        void run(Consumer<AutoCloseable> atStop) throws Exception;
    }

    /**
     * Starts, runs and, at a signal, stops and ends the process: with 0, or 1 if the stop was not orderly.
     *
     * @throws Exception the reason when the start fails; it is stopped then
     */
    public static void run(Start start) throws Exception {
        Deque<AutoCloseable> open = new ConcurrentLinkedDeque<>();
        Thread atSignal = new Thread(() -> Runtime.getRuntime().halt(closed(open) ? 0 : 1), "busbar-stop");
        Runtime.getRuntime().addShutdownHook(atSignal);
        try {
            start.run(open::push);
        } catch (Throwable failed) { // an error would leave a process behind that does nothing
            if (isRemoved(atSignal)) {
                closed(open);
                throw failed;
            }
        }
        new CountDownLatch(1).await();
    }

    /** Or else it runs, and what failed to start was stopped. */
    private static boolean isRemoved(Thread atSignal) {
        try {
            return Runtime.getRuntime().removeShutdownHook(atSignal);
        } catch (IllegalStateException stopping) {
            return false;
        }
    }

    /** Closes them all, whatever one of them does. */
    private static boolean closed(Deque<AutoCloseable> open) {
        boolean orderly = true;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Throwable failed) { // the others are to be closed all the same, and the process is to end
                orderly = false;
                log.atError().addKeyValue("reason", Thrown.text(failed)).log("the stop was not orderly");
            }
        }
        return orderly;
    }
}

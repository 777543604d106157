package io.busbar.operator.command;

import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a process running until SIGINT or SIGTERM, then stops it in order. For the main thread, which it blocks. */
final class Foreground {

    private static final Logger log = LoggerFactory.getLogger(Foreground.class);

    private Foreground() {}

    /** What may fail, and may block. */
    interface Step {
        void run() throws Exception;
    }

    /**
     * Starts, runs and, at a signal, stops and ends the process: with 0, or 1 if the stop was not orderly.
     *
     * @param start returns once it runs, or goes on for as long as all is well
     * @throws Exception the reason when the start fails; it is stopped then
     */
    static void run(Step start, Step stop) throws Exception {
        Thread atSignal = new Thread(() -> Runtime.getRuntime().halt(isOrderly(stop) ? 0 : 1), "busbar-stop");
        Runtime.getRuntime().addShutdownHook(atSignal);
        try {
            start.run();
        } catch (Exception failed) {
            Runtime.getRuntime().removeShutdownHook(atSignal);
            isOrderly(stop);
            throw failed;
        }
        new CountDownLatch(1).await();
    }

    private static boolean isOrderly(Step stop) {
        try {
            stop.run();
            return true;
        } catch (Exception failed) {
            log.atError().addKeyValue("reason", failed.toString()).log("the stop was not orderly");
            return false;
        }
    }
}

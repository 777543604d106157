package io.busbar.operator;

import io.busbar.common.guard.Thrown;
import io.busbar.operator.command.Busbar;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.slf4j.LoggerFactory;

/** Starts the command line. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        VirtualMachine.settle();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> report("a thread has failed", thrown));
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        try {
            System.exit(new Busbar(System.getenv(), out, err).execute(args));
        } catch (Throwable unforeseen) { // else threads that run already would keep a process that does nothing
            try {
                report("the command has failed", unforeseen);
            } finally {
                System.exit(1);
            }
        }
    }

    /** In the format of all other log lines. */
    private static void report(String message, Throwable thrown) {
        LoggerFactory.getLogger(Main.class)
                .atError()
                .addKeyValue("place", Thread.currentThread().getName())
                .setCause(Thrown.loggable(thrown))
                .log(message);
    }
}

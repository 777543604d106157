package io.busbar.operator;

import io.busbar.common.guard.Thrown;
import io.busbar.operator.command.Busbar;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Starts the command line. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        VirtualMachine.settle();
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        try {
            System.exit(new Busbar(System.getenv(), out, err).execute(args));
        } catch (Throwable unforeseen) { // else threads that run already would keep a process that does nothing
            Thrown.loggable(unforeseen).printStackTrace(err);
            System.exit(1);
        }
    }
}

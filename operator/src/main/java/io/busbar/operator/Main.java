package io.busbar.operator;

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
        System.exit(new Busbar(System.getenv(), out, err).execute(args));
    }
}

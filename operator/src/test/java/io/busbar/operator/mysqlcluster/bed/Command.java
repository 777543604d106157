package io.busbar.operator.mysqlcluster.bed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** A program of this machine that ends by itself. Any thread. */
final class Command {

    private Command() {}

    /**
     * Runs it to its end, which must be a good one.
     *
     * @return what it said
     */
    static String run(List<String> command, String input) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(UTF_8));
            }
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(command.get(0) + " failed: " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

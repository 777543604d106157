package io.busbar.maven.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A command of a jar that goes on until it is stopped. One thread; blocks. */
final class JarProcess implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(50);

    /** What is waited for. */
    interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    private final Path log;
    private final Process process;

    /** @param log a file for all that it writes */
    JarProcess(ProcessBuilder command, Path log) throws IOException {
        this.log = log;
        this.process =
                command.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    }

    /**
     * Returns once something holds that the process brings about.
     *
     * @param what in words that follow "it does not"
     * @throws IllegalStateException when the process ends before, or a minute has passed
     */
    void await(String what, Condition condition) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (!condition.holds()) {
            boolean late = System.nanoTime() - begun > LIMIT.toNanos();
            if (late || !process.isAlive()) {
                throw new IllegalStateException(process.info().commandLine().orElse("the jar") + ": it does not " + what
                        + (late ? " within " + LIMIT.toSeconds() + " s" : ", and has ended") + ": "
                        + Files.readString(log));
            }
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        }
    }

    /** Stops it in order; kills it where that takes too long. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(GRACE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException stopped) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

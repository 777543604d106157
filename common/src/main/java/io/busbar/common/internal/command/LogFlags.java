package io.busbar.common.internal.command;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import picocli.CommandLine.Option;

/** How much is logged, and how. For one thread. */
public final class LogFlags {

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            description = "One of ${COMPLETION-CANDIDATES}. Default: info; for a demo, or a sandbox alone, warn;"
                    + " for scorecard, error.")
    private @Nullable Level level;

    @Option(
            names = "--log-format",
            defaultValue = "text",
            paramLabel = "FORMAT",
            description =
                    "One of ${COMPLETION-CANDIDATES}: for a terminal, or a JSON object a line. Default: ${DEFAULT-VALUE}.")
    private Logging.Format format = Logging.Format.TEXT;

    /**
     * Takes effect for the whole JVM.
     *
     * @param standard the level where the user gives none
     * @param packages whose lines have that level, beside those of Busbar
     */
    public void apply(Level standard, Set<String> packages) {
        Logging.configure(level == null ? standard : level, format, packages);
    }
}

package io.busbar.operator.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much is logged, and how. For one thread. */
final class LogFlags {

    enum Format {
        TEXT,
        JSON
    }

    enum Level {
        DEBUG,
        INFO,
        WARN,
        ERROR
    }

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            description = "One of ${COMPLETION-CANDIDATES}. Default: info; for a demo, warn.")
    private @Nullable Level level;

    @Option(
            names = "--log-format",
            defaultValue = "text",
            paramLabel = "FORMAT",
            description =
                    "One of ${COMPLETION-CANDIDATES}: for a terminal, or a JSON object a line. Default: ${DEFAULT-VALUE}.")
    private Format format = Format.TEXT;

    /**
     * Takes effect for the whole JVM.
     *
     * @param standard the level where the user gives none
     */
    void apply(Level standard) {
        Logging.configure(level == null ? standard : level, format);
    }
}

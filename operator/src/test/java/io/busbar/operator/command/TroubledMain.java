package io.busbar.operator.command;

import io.busbar.operator.Main;
import java.io.IOException;
import java.time.Duration;
import java.util.logging.Level;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** The command line beside code that logs in each way there is, and fails, once standard input ends. */
final class TroubledMain {

    private TroubledMain() {}

    public static void main(String[] args) {
        Thread trouble = new Thread(TroubledMain::trouble, "trouble");
        trouble.setDaemon(true);
        trouble.start();
        Main.main(args);
    }

    private static void trouble() {
        awaitEnd();
        java.util.logging.Logger.getLogger("example.jul")
                .log(Level.WARNING, "through java.util.logging", new IllegalStateException("first\nsecond"));
        System.getLogger("example.platform").log(System.Logger.Level.ERROR, "through the platform's logger");
        MDC.put("name", "of the context");
        LoggerFactory.getLogger("example.slf4j")
                .atError()
                .addKeyValue("name", "of the line")
                .addKeyValue("thread", "taken")
                .addKeyValue("half", "\ud83d")
                .addKeyValue("object", new Unmapped())
                .addKeyValue("unreadable", new Unreadable())
                .addKeyValue("count", 3)
                .addKeyValue("took", Duration.ofMillis(1_500))
                .log("keys that stand in its context or in each line, too");
        throw new IllegalStateException("nobody catches this");
    }

    private static void awaitEnd() {
        try {
            while (System.in.read() >= 0) {
                // nothing is said
            }
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    /** Not for a JSON mapper. */
    static final class Unmapped {

        @SuppressWarnings("DoNotCallSuggester") // For what finds it by its name.
        public String getName() {
            throw new IllegalStateException("has none");
        }

        @Override
        public String toString() {
            return "an object";
        }
    }

    private static final class Unreadable {

        @Override
        public String toString() {
            throw new IllegalStateException("has no text");
        }
    }
}

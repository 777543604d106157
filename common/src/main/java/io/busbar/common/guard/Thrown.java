package io.busbar.common.guard;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads throwables of code that is not ours: their own methods may throw, too.
 *
 * <p>Any thread. Nothing here throws.
 */
public final class Thrown {

    private Thrown() {}

    /** As {@link Throwable#toString()}, or the class alone where that fails. */
    public static String text(Throwable thrown) {
        try {
            return Objects.requireNonNullElseGet(
                    thrown.toString(), () -> thrown.getClass().getName());
        } catch (Throwable unreadable) {
            return thrown.getClass().getName();
        }
    }

    /** The message; null where there is none, or it cannot be read. */
    public static @Nullable String message(Throwable thrown) {
        try {
            return thrown.getMessage();
        } catch (Throwable unreadable) {
            return null;
        }
    }

    /** The message, or else {@link #text}. */
    public static String messageOrText(Throwable thrown) {
        String message = message(thrown);
        return message == null ? text(thrown) : message;
    }

    /** The same if a logger can read it, with all its causes; else a stand-in with its class and stack trace. */
    public static Throwable loggable(Throwable thrown) {
        try (PrintWriter nowhere = new PrintWriter(Writer.nullWriter())) {
            thrown.printStackTrace(nowhere); // asks it and all its causes
            return thrown;
        } catch (Throwable unreadable) {
            return new Unreadable(thrown);
        }
    }

    /** Stands for a throwable whose own methods fail. */
    private static final class Unreadable extends RuntimeException {

        private static final long serialVersionUID = 1;

        Unreadable(Throwable original) {
            super(original.getClass().getName() + ", whose message cannot be read");
            setStackTrace(original.getStackTrace());
        }
    }
}

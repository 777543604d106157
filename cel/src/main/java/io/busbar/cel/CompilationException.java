package io.busbar.cel;

import java.util.List;

/** An expression that cannot be; the message is for who wrote it. */
public final class CompilationException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /**
     * One thing that is wrong.
     *
     * @param line in the expression, from one
     * @param column from one
     */
    public record Flaw(int line, int column, String message) {}

    private final transient List<Flaw> flaws;

    public CompilationException(String message) {
        this(message, List.of(new Flaw(1, 1, message)));
    }

    CompilationException(String message, List<Flaw> flaws) {
        super(message, null, false, false);
        this.flaws = List.copyOf(flaws);
    }

    /** All that is wrong, in order; at least one. */
    public List<Flaw> flaws() {
        return flaws;
    }
}

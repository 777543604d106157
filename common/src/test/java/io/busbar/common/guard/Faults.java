package io.busbar.common.guard;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What code that is not ours may throw at a loop: for parameterized tests,
 * {@code @MethodSource("io.busbar.common.guard.Faults#all")}.
 */
public final class Faults {

    private Faults() {}

    /** One of each kind that has been forgotten somewhere. */
    public static Stream<Throwable> all() {
        return Stream.of(
                new IllegalStateException("broken"),
                new StackOverflowError(),
                new NoClassDefFoundError("gone"),
                new AssertionError("never"),
                new Unreadable(),
                new RuntimeException("outer", new Unreadable()));
    }

    /**
     * Throws it, checked or not.
     *
     * @param thrown null to throw nothing
     */
    @SuppressWarnings("unchecked")
    public static <E extends Throwable> void raise(@Nullable Throwable thrown) throws E {
        if (thrown != null) {
            throw (E) thrown;
        }
    }

    /** Its own message cannot be read. */
    public static final class Unreadable extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }
}

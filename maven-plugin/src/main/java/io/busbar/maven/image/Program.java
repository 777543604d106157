package io.busbar.maven.image;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What the jar of an image is: with what arguments it starts in a container, and what shows which classes it needs.
 * Immutable.
 */
public enum Program {
    /** An operator on {@code busbar-runtime}. */
    OPERATOR,

    /**
     * The sandbox alone: for whoever reaches the container, and writing only where a container that is read-only has a
     * place for it.
     */
    SANDBOX;

    /** A run of a jar as it is used. */
    interface Rehearsal {

        /**
         * Runs it, and uses it.
         *
         * @param options for the virtual machine
         * @param flags for the program, beside those that the rehearsal needs
         * @param folder for files of all sorts
         */
        void play(Jar jar, List<String> options, List<String> flags, Path folder)
                throws IOException, InterruptedException;
    }

    /** What comes before all arguments. */
    List<String> fixed() {
        return switch (this) {
            case OPERATOR -> List.of();
            case SANDBOX -> List.of("--bind-address=0.0.0.0", "--port=6443", "--kubeconfig=/tmp/kubeconfig");
        };
    }

    /** What follows, unless whoever runs the container gives others. */
    List<String> arguments() {
        return switch (this) {
            case OPERATOR -> List.of("run");
            case SANDBOX -> List.of();
        };
    }

    Rehearsal rehearsal() {
        return switch (this) {
            case OPERATOR -> new OperatorRehearsal();
            case SANDBOX -> new SandboxRehearsal();
        };
    }
}

package io.busbar.maven.image;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What the jar of an image is: with what arguments it starts in a container, and what shows which classes it needs. Immutable. */
public enum Program {
    /** An operator on {@code busbar-runtime}. */
    OPERATOR(List.of(), List.of("run"), new OperatorRehearsal()),

    /** The sandbox alone: for whoever reaches the container, and writing only where a container that is read-only has a place for it. */
    SANDBOX(
            List.of("--bind-address=0.0.0.0", "--port=6443", "--kubeconfig=/tmp/kubeconfig"),
            List.of(),
            new SandboxRehearsal());

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

    private final List<String> fixed;
    private final List<String> arguments;
    private final Rehearsal rehearsal;

    Program(List<String> fixed, List<String> arguments, Rehearsal rehearsal) {
        this.fixed = fixed;
        this.arguments = arguments;
        this.rehearsal = rehearsal;
    }

    /** What comes before all arguments. */
    List<String> fixed() {
        return fixed;
    }

    /** What follows, unless whoever runs the container gives others. */
    List<String> arguments() {
        return arguments;
    }

    Rehearsal rehearsal() {
        return rehearsal;
    }
}

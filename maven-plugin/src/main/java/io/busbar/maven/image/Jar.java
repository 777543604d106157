package io.busbar.maven.image;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program in one jar, and the runtime that it has in its image.
 *
 * <p>Immutable.
 *
 * @param file in a folder of its own, where the program runs
 */
record Jar(JavaRuntime runtime, Path file) {

    /** Where the jar is. */
    Path folder() {
        return file.resolveSibling("");
    }

    /** Without its folder. */
    String name() {
        return file.getFileName().toString();
    }

    /**
     * A run of it that has not begun.
     *
     * @param options of the virtual machine
     */
    ProcessBuilder command(List<String> options, List<String> arguments) {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of("-jar", name()));
        all.addAll(arguments);
        return java(List.of(), all);
    }

    /** @param before a command that runs the virtual machine */
    ProcessBuilder java(List<String> before, List<String> arguments) {
        List<String> command = new ArrayList<>(before);
        // A command that sets things up gets a path that is the same in each folder.
        Path java = before.isEmpty() ? runtime.java() : folder().relativize(runtime.java());
        command.add(java.toString());
        command.addAll(arguments);
        return new ProcessBuilder(command).directory(folder().toFile());
    }
}

package io.busbar.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program of the project, in a process of its own that shares the terminal.
 *
 * <p>Immutable. A process of its own ends with {@code System.exit}, has options of Java, and no classes of Maven.
 */
record OperatorProcess(
        List<String> jvmArguments, List<String> classPath, String mainClass, List<String> arguments, File folder) {

    OperatorProcess {
        jvmArguments = List.copyOf(jvmArguments);
        classPath = List.copyOf(classPath);
        arguments = List.copyOf(arguments);
    }

    List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmArguments);
        command.add("-cp");
        command.add(String.join(File.pathSeparator, classPath));
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }

    /** Runs it to its end; when Maven is stopped, so is it. */
    int run() throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command()).directory(folder).inheritIO().start();
        Thread stop = new Thread(() -> {
            process.destroy();
            process.onExit().join();
        });
        Runtime.getRuntime().addShutdownHook(stop);
        try {
            return process.waitFor();
        } finally {
            removeHook(stop);
        }
    }

    private static void removeHook(Thread stop) {
        try {
            Runtime.getRuntime().removeShutdownHook(stop);
        } catch (IllegalStateException stopping) {
            // It is what ends this.
        }
    }
}

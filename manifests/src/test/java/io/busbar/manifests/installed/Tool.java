package io.busbar.manifests.installed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program that this machine may have. Any thread; blocks. */
record Tool(String name) {

    /** What a run has written, and how it ended; -1 where there is no such program. */
    record Outcome(int exitCode, String output) {}

    Outcome run(Path folder, String... arguments) {
        List<String> command = new ArrayList<>(List.of(name));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Outcome(process.waitFor(), output);
        } catch (IOException absent) {
            return new Outcome(-1, String.valueOf(absent.getMessage()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(name + " was interrupted", interrupted);
        }
    }
}

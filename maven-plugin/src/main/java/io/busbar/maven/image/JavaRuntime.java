package io.busbar.maven.image;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A Java runtime of only those modules that a jar needs.
 *
 * <p>Immutable.
 */
record JavaRuntime(Path home) {

    /** What is found by its name only: elliptic curves for TLS, up to JDK 21 a module of their own. */
    private static final String BY_NAME = "jdk.crypto.ec";

    /** Variables that a virtual machine mentions in what it prints. */
    private static final Set<String> SAID_BY_JAVA = Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    /**
     * Makes one.
     *
     * @param from modules of another platform's JDK; if not given, of the JDK that runs this
     * @throws IllegalStateException if that JDK lacks its tools or its modules
     */
    static JavaRuntime link(Path jar, Optional<Path> from, Path home) throws IOException, InterruptedException {
        delete(home);
        String modules = run(
                        "jdeps",
                        "--multi-release",
                        "base",
                        "--ignore-missing-deps",
                        "--print-module-deps",
                        jar.toString())
                .strip();
        String all = ModuleFinder.ofSystem().find(BY_NAME).isPresent() ? modules + "," + BY_NAME : modules;
        List<String> options = new ArrayList<>();
        from.ifPresent(folder -> options.addAll(List.of("--module-path", folder.toString())));
        options.addAll(List.of(
                "--add-modules",
                all,
                "--strip-java-debug-attributes",
                "--no-header-files",
                "--no-man-pages",
                // What it makes differs from run to run.
                "--disable-plugin",
                "generate-jli-classes",
                "--output",
                home.toString()));
        run("jlink", options.toArray(String[]::new));
        return new JavaRuntime(home);
    }

    Path java() {
        return home.resolve("bin/java");
    }

    /** In a process of its own: images of two modules are made at once, and jlink has state that both would share. */
    private static String run(String tool, String... arguments) throws IOException, InterruptedException {
        Path program = Path.of(System.getProperty("java.home"), "bin", tool);
        if (!Files.isExecutable(program)) {
            throw new IllegalStateException("no " + tool + " in " + System.getProperty("java.home"));
        }
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeAll(SAID_BY_JAVA);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(tool + " failed: " + output);
        }
        return output;
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}

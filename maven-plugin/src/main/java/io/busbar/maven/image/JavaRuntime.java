package io.busbar.maven.image;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * A Java runtime of only those modules that a jar needs.
 *
 * <p>Immutable.
 */
record JavaRuntime(Path home) {

    /** What is found by its name only: elliptic curves for TLS, up to JDK 21 a module of their own. */
    private static final String BY_NAME = "jdk.crypto.ec";

    /** @throws IllegalStateException if the JDK that runs this lacks its tools or its modules */
    static JavaRuntime link(Path jar, Path home) throws IOException {
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
        run(
                "jlink",
                "--add-modules",
                all,
                "--strip-java-debug-attributes",
                "--no-header-files",
                "--no-man-pages",
                // What it makes differs from run to run.
                "--disable-plugin",
                "generate-jli-classes",
                "--output",
                home.toString());
        return new JavaRuntime(home);
    }

    Path java() {
        return home.resolve("bin/java");
    }

    private static String run(String tool, String... arguments) {
        StringWriter output = new StringWriter();
        PrintWriter writer = new PrintWriter(output);
        int exit = ToolProvider.findFirst(tool)
                .orElseThrow(() -> new IllegalStateException("no " + tool + " in " + System.getProperty("java.home")))
                .run(writer, writer, arguments);
        if (exit != 0) {
            throw new IllegalStateException(tool + " failed: " + output);
        }
        return output.toString();
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

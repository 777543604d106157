package io.busbar.maven.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Linux with glibc, from which an image takes the modules of a JDK and the system's libraries: this machine, or a
 * folder with what another one has in its root folder.
 *
 * <p>Immutable.
 *
 * @param architecture in the words of image registries: {@code amd64}, {@code arm64}
 * @param modules those of its JDK, as jlink takes them; if not given, those of the JDK that runs this
 */
record LinuxSystem(Path root, String architecture, Optional<Path> modules) {

    private static final String JDKS = "usr/lib/jvm";

    /** This machine. */
    static LinuxSystem here() throws IOException {
        if (!System.getProperty("os.name").equals("Linux")) {
            throw new IllegalStateException("an image has the runtime of the machine that builds it, which must be a"
                    + " Linux with glibc; this is " + System.getProperty("os.name"));
        }
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return new LinuxSystem(Path.of("/"), ElfFile.read(java).architecture(), Optional.empty());
    }

    /** @throws IllegalStateException if there is not exactly one JDK in it */
    static LinuxSystem at(Path root) throws IOException {
        Path jdks = root.resolve(JDKS);
        List<Path> found = Files.isDirectory(jdks) ? jdks(jdks) : List.of();
        if (found.size() != 1) {
            throw new IllegalStateException(
                    "-Dimage.roots: " + root + " has " + found.size() + " JDKs with a folder jmods in " + JDKS
                            + "; allowed: one, such as Debian's openjdk-17-jdk-headless of another architecture");
        }
        Path jdk = found.get(0);
        return new LinuxSystem(
                root, ElfFile.read(jdk.resolve("bin/jlink")).architecture(), Optional.of(jdk.resolve("jmods")));
    }

    /** The one whose modules it has. */
    Jdk jdk() throws IOException {
        return modules.isPresent() ? Jdk.of(modules.get(), architecture) : Jdk.here(architecture);
    }

    /** Without names that lead to another: Debian has two for each. */
    private static List<Path> jdks(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(entry -> !Files.isSymbolicLink(entry))
                    .filter(entry -> Files.exists(entry.resolve("jmods/java.base.jmod")))
                    .toList();
        }
    }

    /** The file at a path of that system, with links followed within it. */
    Path file(String path) throws IOException {
        Path file = inside(Path.of(path));
        for (int links = 0; Files.isSymbolicLink(file) && links < 40; links++) {
            Path target = Files.readSymbolicLink(file);
            file = target.isAbsolute() ? inside(target) : file.resolveSibling(target);
        }
        return file;
    }

    private Path inside(Path path) {
        return root.resolve(Path.of("/").relativize(path));
    }
}

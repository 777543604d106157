package io.busbar.maven.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the binaries of a runtime are linked to and a system has. One thread. */
final class NativeLibraries {

    /** Where glibc's linker looks, in Debian and elsewhere; the first has a folder for each architecture. */
    private static final List<String> FOLDERS =
            List.of("/lib/%s-linux-gnu", "/usr/lib/%s-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib");

    private static final Map<String, String> MACHINES = Map.of("amd64", "x86_64", "arm64", "aarch64");

    private final LinuxSystem system;
    private final Map<String, Path> found = new TreeMap<>();
    private final Set<String> seen = new TreeSet<>();

    private NativeLibraries(LinuxSystem system) {
        this.system = system;
    }

    /**
     * Finds those of a runtime, with what they are linked to in turn.
     *
     * @return the files, by the paths at which the linker looks for them, sorted
     * @throws IllegalStateException if the system lacks one
     */
    static Map<String, Path> of(Path runtime, LinuxSystem system) throws IOException {
        NativeLibraries libraries = new NativeLibraries(system);
        libraries.add(runtime);
        return libraries.found;
    }

    private void add(Path runtime) throws IOException {
        Deque<Path> left = new ArrayDeque<>(binaries(runtime));
        seen.addAll(own(runtime));
        while (!left.isEmpty()) {
            Path binary = left.remove();
            ElfFile elf = ElfFile.read(binary);
            if (elf.interpreter().isPresent()) {
                String linker = elf.interpreter().get();
                seen.add(Path.of(linker).getFileName().toString());
                found.put(linker, there(linker, binary));
            }
            for (String name : elf.needed()) {
                if (seen.add(name)) {
                    String path = path(name, binary);
                    found.put(path, system.file(path));
                    left.add(system.file(path));
                }
            }
        }
    }

    private String path(String name, Path needs) throws IOException {
        for (String folder : FOLDERS) {
            String path = folder.formatted(MACHINES.get(system.architecture())) + "/" + name;
            if (Files.exists(system.file(path))) {
                return path;
            }
        }
        throw lacks(name, needs);
    }

    private Path there(String path, Path needs) throws IOException {
        Path file = system.file(path);
        if (Files.notExists(file)) {
            throw lacks(path, needs);
        }
        return file;
    }

    private IllegalStateException lacks(String library, Path needs) {
        return new IllegalStateException(
                system.root() + " has no " + library + ", which " + needs.getFileName() + " needs");
    }

    /** Names of the libraries that the runtime has itself. */
    private static Set<String> own(Path runtime) throws IOException {
        try (Stream<Path> files = Files.walk(runtime.resolve("lib"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".so"))
                    .collect(Collectors.toSet());
        }
    }

    /** The program first, which names the linker. Without those of windows and sound, which a server never loads. */
    private static List<Path> binaries(Path runtime) throws IOException {
        List<Path> binaries = new ArrayList<>(List.of(runtime.resolve("bin/java")));
        try (Stream<Path> files = Files.walk(runtime.resolve("lib"))) {
            files.filter(file -> file.getFileName()
                            .toString()
                            .matches("lib(jvm|jli|java|jimage|net|nio|zip|management.*|verify)\\.so"))
                    .sorted()
                    .forEach(binaries::add);
        }
        return binaries;
    }
}

package io.busbar.maven.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibrariesTest {

    private static final Path RUNTIME = Path.of(System.getProperty("java.home"));

    @TempDir
    private Path folder;

    @Test
    void finds_what_the_linker_of_the_system_finds() throws Exception {
        Map<String, Path> libraries = NativeLibraries.of(RUNTIME, LinuxSystem.here());

        assertThat(libraries.values()).allSatisfy(file -> assertThat(file).isRegularFile());
        assertThat(libraries.keySet().stream()
                        .map(path -> path.replaceFirst(".*/", ""))
                        .collect(Collectors.toSet()))
                .containsAll(linked(RUNTIME.resolve("bin/java")))
                .containsAll(linked(RUNTIME.resolve("lib/server/libjvm.so")))
                .containsAll(linked(RUNTIME.resolve("lib/libzip.so")));
    }

    /** Names of those outside of the runtime; the linker has none in its own name's place for what the kernel gives. */
    private static Set<String> linked(Path binary) throws Exception {
        Process ldd = new ProcessBuilder("ldd", binary.toString()).start();
        String output = new String(ldd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Pattern.compile("(/\\S+) \\(0x")
                .matcher(output)
                .results()
                .map(line -> Path.of(line.group(1)).normalize())
                .filter(library -> !library.startsWith(RUNTIME))
                .map(library -> library.getFileName().toString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void a_system_that_lacks_one_is_refused_by_its_name() {
        LinuxSystem empty = new LinuxSystem(folder, "arm64", Optional.empty());

        assertThatIllegalStateException()
                .isThrownBy(() -> NativeLibraries.of(RUNTIME, empty))
                .withMessageContaining(folder + " has no ")
                .withMessageEndingWith(", which java needs");
    }

    @Test
    void links_of_another_system_lead_to_its_own_files() throws Exception {
        Path linker = Files.createFile(
                Files.createDirectories(folder.resolve("lib/there")).resolve("ld.so"));
        Files.createSymbolicLink(folder.resolve("lib/ld.so.2"), Path.of("/lib/there/ld.so.1"));
        Files.createSymbolicLink(folder.resolve("lib/there/ld.so.1"), Path.of("ld.so"));

        assertThat(new LinuxSystem(folder, "amd64", Optional.empty()).file("/lib/ld.so.2"))
                .isEqualTo(linker);
    }

    @Test
    void what_is_no_binary_is_refused() throws Exception {
        Path script = Files.writeString(folder.resolve("java"), "#!/bin/sh\n".repeat(10));

        assertThatIllegalStateException()
                .isThrownBy(() -> ElfFile.read(script))
                .withMessage(script + " is no binary of a Linux of 64 bits");
    }
}

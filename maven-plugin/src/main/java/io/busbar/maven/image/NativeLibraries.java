package io.busbar.maven.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the binaries of a folder are linked to and the system has, by its dynamic linker. One thread. */
final class NativeLibraries {

    /** {@code libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x…)}, or the linker itself, which has no arrow. */
    private static final Pattern LINE = Pattern.compile("^\\s*(?:\\S+ => )?(/\\S+) \\(0x");

    private NativeLibraries() {}

    /** @return the paths that the linker looks at, sorted */
    static Set<Path> of(Path folder) throws IOException, InterruptedException {
        Set<Path> libraries = new TreeSet<>();
        for (Path binary : binaries(folder)) {
            Process ldd = new ProcessBuilder("ldd", binary.toString())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(ldd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            ldd.waitFor();
            output.lines()
                    .map(LINE::matcher)
                    .filter(Matcher::find)
                    .map(line -> Path.of(line.group(1)))
                    .filter(library -> !library.normalize().startsWith(folder))
                    .forEach(libraries::add);
        }
        return libraries;
    }

    /** Without those of windows and sound, which a server never loads. */
    private static List<Path> binaries(Path folder) throws IOException {
        List<Path> binaries = new ArrayList<>(List.of(folder.resolve("bin/java")));
        try (Stream<Path> files = Files.walk(folder.resolve("lib"))) {
            files.filter(file -> file.getFileName()
                            .toString()
                            .matches("lib(jvm|jli|java|jimage|net|nio|zip|management.*|verify)\\.so"))
                    .forEach(binaries::add);
        }
        return binaries;
    }
}

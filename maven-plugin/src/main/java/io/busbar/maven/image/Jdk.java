package io.busbar.maven.image;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The JDK whose modules a runtime is linked of.
 *
 * <p>Immutable.
 *
 * @param architecture in the words of image registries: {@code amd64}, {@code arm64}
 * @param version that of its module {@code java.base}
 * @param digest of the folder with its modules, {@code jmods}, or of the whole JDK where it links without them: the
 *     <a href="https://github.com/in-toto/attestation/blob/main/spec/v1/digest_set.md">dirHash</a> of in-toto
 */
public record Jdk(String architecture, String version, String digest) {

    private static final String MODULES = "jmods";

    /** The one that runs this. */
    static Jdk here(String architecture) throws IOException {
        Path home = Path.of(System.getProperty("java.home"));
        Path modules = home.resolve(MODULES);
        return new Jdk(
                architecture,
                version(Object.class.getModule().getDescriptor()),
                digest(Files.isDirectory(modules) ? modules : home));
    }

    /** The one that has these modules. */
    static Jdk of(Path modules, String architecture) throws IOException {
        return new Jdk(architecture, version(modules.resolve("java.base.jmod")), digest(modules));
    }

    private static String version(Path module) throws IOException {
        try (ZipFile file = new ZipFile(module.toFile())) {
            ZipEntry descriptor = file.getEntry("classes/module-info.class");
            if (descriptor == null) {
                throw new IllegalStateException(module + " has no descriptor of a module");
            }
            try (InputStream content = file.getInputStream(descriptor)) {
                return version(ModuleDescriptor.read(content));
            }
        }
    }

    private static String version(ModuleDescriptor base) {
        return base.rawVersion().orElse("unknown");
    }

    /** Of the contents of its files and their names below the folder, and of nothing else. */
    private static String digest(Path folder) throws IOException {
        Map<String, Path> files = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(folder)) {
            paths.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                    .forEach(path -> files.put(folder.relativize(path).toString(), path));
        }
        StringBuilder sums = new StringBuilder();
        for (Map.Entry<String, Path> file : files.entrySet()) {
            sums.append(Sha256.of(file.getValue()))
                    .append("  ")
                    .append(file.getKey())
                    .append('\n');
        }
        return Sha256.of(sums.toString().getBytes(StandardCharsets.UTF_8));
    }
}

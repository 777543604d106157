package io.busbar.blueprint.packed;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.CodeSource;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Writes jars with an operator of Blueprints: all of the jar that does so, another main class, and the Blueprints. The
 * same Blueprints and the same toolkit give the same bytes.
 *
 * <p>Any thread; blocks.
 */
public final class PackedJar {

    /** The earliest that the format has. */
    private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

    private static final String MAIN_FILE = Main.class.getName().replace('.', '/') + ".class";

    private PackedJar() {}

    /** The jar that this runs from, with the whole toolkit in it; empty where it runs from folders or from several. */
    public static Optional<Path> ownJar() {
        CodeSource source = PackedJar.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(source.getLocation().toURI())).filter(PackedJar::isWhole);
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException noFile) {
            return Optional.empty();
        }
    }

    private static boolean isWhole(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            return manifest != null && manifest.getMainAttributes().containsKey(Attributes.Name.MAIN_CLASS);
        } catch (IOException noJar) {
            return false;
        }
    }

    /** Whether a file is a jar that was written here. */
    public static boolean isPacked(Path file) {
        try (ZipFile jar = new ZipFile(file.toFile())) {
            return jar.getEntry(PackedOperator.INDEX) != null;
        } catch (IOException noJar) {
            return false;
        }
    }

    /**
     * Writes one, whole or not at all.
     *
     * @param toolkit a jar with all that the operator runs with
     * @throws IOException when the one cannot be read, or the other not be written
     */
    public static void write(Path toolkit, PackedOperator operator, Path output) throws IOException {
        Path unfinished = output.resolveSibling(output.getFileName() + ".part");
        try {
            try (JarFile source = new JarFile(toolkit.toFile());
                    OutputStream file = Files.newOutputStream(unfinished);
                    ZipOutputStream jar = new ZipOutputStream(file)) {
                write(source, operator, jar);
            }
            Files.move(unfinished, output, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    /** A jar with the Blueprints alone, for a class path that begins with the toolkit. */
    static byte[] blueprintsAlone(PackedOperator operator) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream jar = new ZipOutputStream(bytes)) {
            add(operator, jar);
        }
        return bytes.toByteArray();
    }

    private static void add(PackedOperator operator, ZipOutputStream jar) throws IOException {
        for (Map.Entry<String, byte[]> file : operator.files().entrySet()) {
            begin(jar, file.getKey());
            jar.write(file.getValue());
        }
    }

    private static void write(JarFile toolkit, PackedOperator operator, ZipOutputStream jar) throws IOException {
        if (toolkit.getEntry(MAIN_FILE) == null) {
            throw new ZipException(toolkit.getName() + " lacks " + MAIN_FILE);
        }
        begin(jar, JarFile.MANIFEST_NAME);
        manifest(toolkit, operator.version()).write(jar);
        add(operator, jar);
        for (ZipEntry entry : toolkit.stream().toList()) {
            if (!entry.getName().equals(JarFile.MANIFEST_NAME)) {
                begin(jar, entry.getName());
                try (var content = toolkit.getInputStream(entry)) {
                    content.transferTo(jar);
                }
            }
        }
    }

    private static Manifest manifest(JarFile toolkit, String version) throws IOException {
        Manifest manifest = new Manifest(toolkit.getManifest());
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Main.class.getName());
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
        return manifest;
    }

    private static void begin(ZipOutputStream jar, String name) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(TIME);
        jar.putNextEntry(entry);
    }
}

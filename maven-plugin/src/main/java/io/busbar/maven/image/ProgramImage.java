package io.busbar.maven.image;

import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes an OCI image with a program to a tar file: for this machine's platform, and in the same file for others.
 *
 * <p>One thread; blocks. With the list of classes that an image has in {@code /app/classes.txt}, the same jar and the
 * same JDK give the same image, but for what is said of {@link ClassArchive}; without one, the list is made anew.
 */
public final class ProgramImage {

    /** The time that jib gives to files. */
    private static final FileTime TIME = FileTime.from(Instant.EPOCH.plusSeconds(1));

    private final Path jar;
    private final Path work;

    /**
     * @param jar the program, with all that it needs
     * @param work a folder for what is made on the way; it stays, so that a second image takes less time
     */
    public ProgramImage(Path jar, Path work) {
        this.jar = jar;
        this.work = work;
    }

    /**
     * Writes it.
     *
     * @return the JDKs that its runtimes are made of, one for each architecture, sorted by these
     * @throws IllegalStateException when the machine, its JDK or a root lack something, or the program does not run
     */
    public List<Jdk> write(ImageOrder order, Path tar)
            throws IOException, InterruptedException, InvalidImageReferenceException {
        ImageReference unused = ImageReference.parse(order.name());
        LinuxSystem here = LinuxSystem.here();
        List<LinuxSystem> others = others(here, order.roots());
        Path alone = copy(jar, Files.createDirectories(work.resolve("app")).resolve(jar.getFileName()));
        Files.setLastModifiedTime(alone, TIME);
        if (others.isEmpty()) {
            writeHere(here, alone, order, tar);
            return List.of(here.jdk());
        }
        Map<String, Path> images = new TreeMap<>();
        Map<String, Jdk> jdks = new TreeMap<>(Map.of(here.architecture(), here.jdk()));
        Path own = work.resolve(here.architecture() + ".tar");
        writeHere(here, alone, order, own);
        images.put(here.architecture(), own);
        for (LinuxSystem other : others) {
            Path image = work.resolve(other.architecture() + ".tar");
            writeElsewhere(other, alone, order, image);
            images.put(other.architecture(), image);
            jdks.put(other.architecture(), other.jdk());
        }
        ImageIndex.write(order.name(), images, tar);
        return List.copyOf(jdks.values());
    }

    private static List<LinuxSystem> others(LinuxSystem here, List<Path> roots) throws IOException {
        Map<String, LinuxSystem> systems = new TreeMap<>(Map.of(here.architecture(), here));
        for (Path root : roots) {
            LinuxSystem other = LinuxSystem.at(root);
            if (systems.put(other.architecture(), other) != null) {
                throw new IllegalStateException("-Dimage.roots: " + root + " is of " + other.architecture()
                        + ", as is another, or this machine; allowed: one for each other architecture");
            }
        }
        systems.remove(here.architecture());
        return List.copyOf(systems.values());
    }

    private void writeHere(LinuxSystem here, Path alone, ImageOrder order, Path tar)
            throws IOException, InterruptedException, InvalidImageReferenceException {
        JavaRuntime runtime = JavaRuntime.link(alone, here.modules(), work.resolve("java"));
        ClassArchive classArchive = new ClassArchive(new Jar(runtime, alone));
        Path list = order.classes().isPresent()
                ? copy(order.classes().get(), alone.resolveSibling(ClassArchive.LIST))
                : classArchive.list(order.program(), order.flags());
        Path archive = classArchive.write(list);
        List<Path> program = new ArrayList<>(List.of(alone, archive, list));
        order.materials().ifPresent(program::add);
        new PlatformImage(here, runtime, program, Optional.of(archive), work).write(order.name(), tar, order.program());
    }

    /** Without an archive of classes: only the machine that runs it could make that. */
    private void writeElsewhere(LinuxSystem other, Path alone, ImageOrder order, Path tar)
            throws IOException, InterruptedException, InvalidImageReferenceException {
        JavaRuntime runtime = JavaRuntime.link(alone, other.modules(), work.resolve("java-" + other.architecture()));
        List<Path> program = new ArrayList<>(List.of(alone));
        order.materials().ifPresent(program::add);
        new PlatformImage(other, runtime, program, Optional.empty(), work).write(order.name(), tar, order.program());
    }

    private static Path copy(Path from, Path to) throws IOException {
        return from.toAbsolutePath().equals(to) ? to : Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
}

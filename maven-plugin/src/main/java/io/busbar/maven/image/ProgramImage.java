package io.busbar.maven.image;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/**
 * Writes an OCI image with a program to a tar file.
 *
 * <p>One thread; blocks. With the list of classes that an image has in {@code /app/classes.txt}, the same jar and the
 * same JDK give the same image, but for what is said of {@link ClassArchive}; without one, the list is made anew.
 */
public final class ProgramImage {

    /** Nobody: the user that images without a shell use by convention. */
    private static final String USER = "65532:65532";

    /** The time that jib gives to files. */
    private static final FileTime TIME = FileTime.from(Instant.EPOCH.plusSeconds(1));

    private static final String ACCOUNTS =
            "root:x:0:0:root:/:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/tmp:/sbin/nologin\n";
    private static final String NAME_SERVICES = "passwd: files\nhosts: files dns\n";

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
     * @param name as people pull it, such as {@code registry.example.com/shop:1.0}
     * @param classes the list of an image that is to be built again
     * @param materials a file that tells what the jar is made of, to be kept in the image
     * @param program what the jar is
     * @param flags of the program, for the run that tells which classes it needs
     * @throws IllegalStateException when the machine or its JDK lack something, or the program does not run
     */
    public void write(
            String name,
            Path tar,
            Optional<Path> classes,
            Optional<Path> materials,
            Program program,
            List<String> flags)
            throws IOException, InterruptedException, InvalidImageReferenceException {
        if (!Files.isExecutable(Path.of("/usr/bin/ldd"))) {
            throw new IllegalStateException("an image has the runtime of the machine that builds it, which must be a"
                    + " Linux with glibc; this is " + System.getProperty("os.name") + " without ldd");
        }
        TarImage target = TarImage.at(tar).named(name);
        Path app = Files.createDirectories(work.resolve("app"));
        Path alone = copy(jar, app.resolve(jar.getFileName()));
        Files.setLastModifiedTime(alone, TIME);
        JavaRuntime runtime = JavaRuntime.link(alone, work.resolve("java"));
        ClassArchive classArchive = new ClassArchive(new Jar(runtime, alone));
        Path list = classes.isPresent()
                ? copy(classes.get(), app.resolve(ClassArchive.LIST))
                : classArchive.list(program, flags);
        Path archive = classArchive.write(list);
        FileEntriesLayer.Builder layer = FileEntriesLayer.builder()
                .setName("app")
                .addEntry(alone, inApp(alone))
                .addEntry(archive, inApp(archive))
                .addEntry(list, inApp(list));
        materials.ifPresent(file -> layer.addEntry(file, inApp(file)));
        JibContainerBuilder image = Jib.fromScratch()
                .setFormat(ImageFormat.OCI)
                .setPlatforms(Set.of(platform()))
                .addFileEntriesLayer(system(runtime))
                .addFileEntriesLayer(FileEntriesLayer.builder()
                        .setName("java")
                        .addEntryRecursive(runtime.home(), unix("/opt/java"), ProgramImage::permissions)
                        .build())
                .addFileEntriesLayer(layer.build())
                .setUser(USER)
                .setWorkingDirectory(unix("/app"))
                .setEntrypoint(entrypoint(alone, archive, program.fixed()))
                .setProgramArguments(program.arguments());
        write(image, target);
    }

    private void write(JibContainerBuilder image, TarImage target) throws IOException, InterruptedException {
        try {
            image.containerize(Containerizer.to(target)
                    .setOfflineMode(true)
                    .setApplicationLayersCache(work.resolve("layers"))
                    .setBaseImageLayersCache(work.resolve("layers")));
        } catch (ExecutionException failed) {
            throw new IOException("the image cannot be written: " + failed.getCause(), failed);
        } catch (com.google.cloud.tools.jib.api.RegistryException
                | com.google.cloud.tools.jib.api.CacheDirectoryCreationException failed) {
            throw new IOException("the image cannot be written: " + failed.getMessage(), failed);
        }
    }

    private static List<String> entrypoint(Path jar, Path archive, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                "/opt/java/bin/java",
                // In the working directory, as is the jar: an archive serves no other class path than its own.
                "-XX:SharedArchiveFile=" + archive.getFileName(),
                // Where it was made for: elsewhere all of its pointers are written anew, at each start.
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:ArchiveRelocationMode=0",
                "-jar",
                jar.getFileName().toString()));
        command.addAll(arguments);
        return command;
    }

    private FileEntriesLayer system(JavaRuntime runtime) throws IOException, InterruptedException {
        FileEntriesLayer.Builder layer = FileEntriesLayer.builder()
                .setName("system")
                .addEntry(
                        Files.createDirectories(work.resolve("tmp")),
                        unix("/tmp"),
                        FilePermissions.fromOctalString("777"))
                .addEntry(text("passwd", ACCOUNTS), unix("/etc/passwd"))
                .addEntry(text("nsswitch.conf", NAME_SERVICES), unix("/etc/nsswitch.conf"));
        for (Path library : NativeLibraries.of(runtime.home())) {
            layer.addEntry(library.toRealPath(), unix(library.toString()), FilePermissions.fromOctalString("755"));
        }
        return layer.build();
    }

    private static Path copy(Path from, Path to) throws IOException {
        return from.toAbsolutePath().equals(to) ? to : Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path text(String name, String content) throws IOException {
        return Files.writeString(work.resolve(name), content);
    }

    private static FilePermissions permissions(Path file, AbsoluteUnixPath inImage) {
        return FilePermissions.fromOctalString(Files.isExecutable(file) ? "755" : "644");
    }

    private static Platform platform() {
        String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        return new Platform(machine.equals("aarch64") ? "arm64" : "amd64", "linux");
    }

    private static AbsoluteUnixPath inApp(Path file) {
        return unix("/app/" + file.getFileName());
    }

    private static AbsoluteUnixPath unix(String path) {
        return AbsoluteUnixPath.get(path);
    }
}

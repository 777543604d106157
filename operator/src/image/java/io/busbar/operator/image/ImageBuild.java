package io.busbar.operator.image;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
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
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Writes an OCI image with the operator to a tar file.
 *
 * <p>For the command line: {@code ImageBuild TARGET_FOLDER NAME:TAG [CLASSES]}, where the folder has {@code busbar.jar} and the bill of materials. With
 * the list of classes that an image has in {@code /app/classes.txt}, the same commit and the same JDK give the same image, but for what is said of
 * {@link ClassArchive}; without one, the list is made anew.
 */
public final class ImageBuild {

    /** Nobody: the user that images without a shell use by convention. */
    private static final String USER = "65532:65532";

    /** The time that jib gives to files. */
    private static final FileTime TIME = FileTime.from(Instant.EPOCH.plusSeconds(1));

    private static final List<String> ENTRYPOINT = List.of(
            "/opt/java/bin/java",
            // In the working directory, as is the jar: an archive serves no other class path than its own.
            "-XX:SharedArchiveFile=busbar.jsa",
            // Where it was made for: elsewhere all of its pointers are written anew, at each start.
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:ArchiveRelocationMode=0",
            "-jar",
            "busbar.jar");

    private static final String ACCOUNTS =
            "root:x:0:0:root:/:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/tmp:/sbin/nologin\n";
    private static final String NAME_SERVICES = "passwd: files\nhosts: files dns\n";

    private final Path target;
    private final Path work;

    private ImageBuild(Path target) {
        this.target = target;
        this.work = target.resolve("image");
    }

    public static void main(String[] args) throws Exception {
        new ImageBuild(Path.of(args[0]).toAbsolutePath())
                .write(
                        args[1],
                        args.length > 2 && !args[2].isEmpty() ? Optional.of(Path.of(args[2])) : Optional.empty());
    }

    private void write(String name, Optional<Path> given) throws Exception {
        Path materials = target.resolve("bom.json");
        if (!Files.exists(materials)) {
            throw new IllegalStateException(
                    materials + " is missing: CycloneDX writes it only when Maven is not offline");
        }
        Path app = Files.createDirectories(work.resolve("app"));
        Path jar = app.resolve("busbar.jar");
        copy(target.resolve("busbar.jar"), jar);
        Files.setLastModifiedTime(jar, TIME);
        JavaRuntime runtime = JavaRuntime.link(jar, work.resolve("java"));
        ClassArchive classArchive = new ClassArchive(runtime, app);
        Path classes = given.isPresent() ? copy(given.get(), app.resolve("classes.txt")) : classArchive.list();
        Path archive = classArchive.write(classes);
        Path tar = target.resolve("busbar-image.tar");
        Jib.fromScratch()
                .setFormat(ImageFormat.OCI)
                .setPlatforms(Set.of(platform()))
                .addFileEntriesLayer(system(runtime))
                .addFileEntriesLayer(FileEntriesLayer.builder()
                        .setName("java")
                        .addEntryRecursive(runtime.home(), unix("/opt/java"), ImageBuild::permissions)
                        .build())
                .addFileEntriesLayer(FileEntriesLayer.builder()
                        .setName("busbar")
                        .addEntry(jar, unix("/app/busbar.jar"))
                        .addEntry(archive, unix("/app/busbar.jsa"))
                        .addEntry(classes, unix("/app/classes.txt"))
                        .addEntry(materials, unix("/app/bom.json"))
                        .build())
                .setUser(USER)
                .setWorkingDirectory(unix("/app"))
                .setEntrypoint(ENTRYPOINT)
                .setProgramArguments("run")
                .containerize(Containerizer.to(TarImage.at(tar).named(name))
                        .setOfflineMode(true)
                        .setApplicationLayersCache(work.resolve("layers"))
                        .setBaseImageLayersCache(work.resolve("layers")));
        System.out.println(tar + ": " + name + ", " + Files.size(tar) / 1_000_000 + " MB");
    }

    private FileEntriesLayer system(JavaRuntime runtime) throws Exception {
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

    private static AbsoluteUnixPath unix(String path) {
        return AbsoluteUnixPath.get(path);
    }
}

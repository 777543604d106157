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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/**
 * An image for one platform: the system's files, the runtime, the program.
 *
 * <p>Immutable; blocks.
 *
 * @param system whose libraries the runtime is linked to
 * @param program in its folder: the jar first, then what is beside it
 * @param archive of the program's classes, one of those beside it
 * @param work a folder for what is made on the way
 */
record PlatformImage(LinuxSystem system, JavaRuntime runtime, List<Path> program, Optional<Path> archive, Path work) {

    /** Nobody: the user that images without a shell use by convention. */
    private static final String USER = "65532:65532";

    private static final String ACCOUNTS =
            "root:x:0:0:root:/:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/tmp:/sbin/nologin\n";
    private static final String NAME_SERVICES = "passwd: files\nhosts: files dns\n";

    /** @param starts with what arguments the program does */
    void write(String name, Path tar, Program starts)
            throws IOException, InterruptedException, InvalidImageReferenceException {
        FileEntriesLayer.Builder app = FileEntriesLayer.builder().setName("app");
        program.forEach(file -> app.addEntry(file, unix("/app/" + file.getFileName())));
        JibContainerBuilder image = Jib.fromScratch()
                .setFormat(ImageFormat.OCI)
                .setPlatforms(Set.of(new Platform(system.architecture(), "linux")))
                .addFileEntriesLayer(systemFiles())
                .addFileEntriesLayer(FileEntriesLayer.builder()
                        .setName("java")
                        .addEntryRecursive(runtime.home(), unix("/opt/java"), PlatformImage::permissions)
                        .build())
                .addFileEntriesLayer(app.build())
                .setUser(USER)
                .setWorkingDirectory(unix("/app"))
                .setEntrypoint(entrypoint(starts.fixed()))
                .setProgramArguments(starts.arguments());
        try {
            image.containerize(Containerizer.to(TarImage.at(tar).named(name))
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

    private List<String> entrypoint(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("/opt/java/bin/java"));
        archive.ifPresent(file -> command.addAll(List.of(
                // In the working directory, as is the jar: an archive serves no other class path than its own.
                "-XX:SharedArchiveFile=" + file.getFileName(),
                // Where it was made for: elsewhere all of its pointers are written anew, at each start.
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:ArchiveRelocationMode=0")));
        command.addAll(List.of("-jar", program.get(0).getFileName().toString()));
        command.addAll(arguments);
        return command;
    }

    private FileEntriesLayer systemFiles() throws IOException {
        FileEntriesLayer.Builder layer = FileEntriesLayer.builder()
                .setName("system")
                .addEntry(
                        Files.createDirectories(work.resolve("tmp")),
                        unix("/tmp"),
                        FilePermissions.fromOctalString("777"))
                .addEntry(text("passwd", ACCOUNTS), unix("/etc/passwd"))
                .addEntry(text("nsswitch.conf", NAME_SERVICES), unix("/etc/nsswitch.conf"));
        for (Map.Entry<String, Path> library :
                NativeLibraries.of(runtime.home(), system).entrySet()) {
            layer.addEntry(library.getValue(), unix(library.getKey()), FilePermissions.fromOctalString("755"));
        }
        return layer.build();
    }

    private Path text(String name, String content) throws IOException {
        return Files.writeString(work.resolve(name), content);
    }

    private static FilePermissions permissions(Path file, AbsoluteUnixPath inImage) {
        return FilePermissions.fromOctalString(Files.isExecutable(file) ? "755" : "644");
    }

    private static AbsoluteUnixPath unix(String path) {
        return AbsoluteUnixPath.get(path);
    }
}

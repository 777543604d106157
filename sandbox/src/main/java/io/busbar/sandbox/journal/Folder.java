package io.busbar.sandbox.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a sandbox, locked as long as this is open: nobody else writes there.
 *
 * <p>Any thread; blocks.
 */
final class Folder implements AutoCloseable {

    private static final Pattern NUMBERED = Pattern.compile("(journal|snapshot)-(\\d+)(\\.new)?");

    private final Path path;
    private final FileChannel lock;

    private Folder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Makes it, for its owner's eyes only, when it is not there. */
    static Folder open(Path path) throws IOException {
        FileChannel channel = lockFile(path);
        if (lock(channel) == null) {
            channel.close();
            throw new IOException(path + " is in use by another sandbox");
        }
        return new Folder(path, channel);
    }

    private static FileChannel lockFile(Path path) throws IOException {
        try {
            Files.createDirectories(path, ownersOnly("rwx------"));
            return FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new IOException(path + " is no folder that can be written to (" + e + ")", e);
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException ofThisProcess) {
            return null;
        }
    }

    /** Attributes for a new file; none where there are no such permissions. */
    static FileAttribute<?>[] ownersOnly(String permissions) {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    Path path() {
        return path;
    }

    Path identity() {
        return path.resolve("identity.json");
    }

    Path journal(int number) {
        return path.resolve("journal-" + number);
    }

    Path snapshot(int number) {
        return path.resolve("snapshot-" + number);
    }

    /** The number of the latest snapshot; 0 for none. */
    int latestSnapshot() throws IOException {
        List<Integer> numbers = numbers("snapshot");
        return numbers.isEmpty() ? 0 : Collections.max(numbers);
    }

    /** The size of the latest snapshot. */
    long snapshotSize() throws IOException {
        int latest = latestSnapshot();
        return latest == 0 ? 0 : Files.size(snapshot(latest));
    }

    /** In order. */
    List<Integer> journals() throws IOException {
        return numbers("journal").stream().sorted().toList();
    }

    /** Deletes what a snapshot has made superfluous, and what was not finished. */
    void forgetBefore(int number) throws IOException {
        for (Path file : files()) {
            Matcher name = NUMBERED.matcher(file.getFileName().toString());
            if (name.matches() && (Integer.parseInt(name.group(2)) < number || name.group(3) != null)) {
                Files.delete(file);
            }
        }
    }

    private List<Integer> numbers(String kind) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        for (Path file : files()) {
            Matcher name = NUMBERED.matcher(file.getFileName().toString());
            if (name.matches() && name.group(1).equals(kind) && name.group(3) == null) {
                numbers.add(Integer.valueOf(name.group(2)));
            }
        }
        return numbers;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.toList();
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}

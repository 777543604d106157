package io.busbar.operator.mysqlcluster.bed;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a test does to the processes of a Pod, by its name: it holds for the Pods of that name to come as well.
 *
 * <p>Any thread. What needs a process is an {@link IllegalStateException} where none runs.
 */
public final class DatabasePod {

    private static final int BLOCK = 64 * 1024;
    private static final String BALLAST = ServerImage.DATA + "/.ballast";

    private final String name;
    private final Addresses addresses;
    private @Nullable String ip;
    private @Nullable RunningContainer container;
    private boolean runs;
    private boolean held;
    private boolean cutOff;
    private int megabytes;

    DatabasePod(String name, Addresses addresses) {
        this.name = name;
        this.addresses = addresses;
    }

    /** Ends it at once, as {@code kill -9} does; it is started again after a while, as ever. */
    public synchronized void kill() {
        running().kill();
    }

    /** Ends it at once, if it runs, and keeps it down until {@link #release}. */
    public synchronized void hold() {
        held = true;
        if (runs && container != null) {
            container.kill();
        }
    }

    /** Lets it be started again. */
    public synchronized void release() {
        held = false;
    }

    /**
     * Its Node is lost, though the server may go on: nobody can reach it, and until {@link #returnNode} nobody tells of
     * it, restarts it, or ends it when its Pod is deleted; the Pod's status stays as it is.
     */
    public synchronized void cutOff() {
        if (ip == null) {
            throw new IllegalStateException("the Pod " + name + " has never been");
        }
        cutOff = true;
        addresses.cutOff(ip);
    }

    /** Its Node is lost with all that runs there; as {@link #cutOff} otherwise. */
    public synchronized void loseNode() {
        cutOff();
        if (runs && container != null) {
            container.kill();
        }
    }

    /** Its Node is there again, and does what was to be done meanwhile. */
    public synchronized void returnNode() {
        if (cutOff && ip != null) {
            addresses.reconnect(ip);
        }
        cutOff = false;
    }

    /**
     * Its process gets no time any more: the system still accepts connections for it, so the Pod stays ready, but
     * nobody answers.
     */
    public synchronized void freeze() {
        running().freeze();
    }

    /** Ends it at once, and its volume is empty from then on, as another one would be. */
    public synchronized void loseData() {
        RunningContainer lost = running();
        lost.freeze();
        try {
            Path data = lost.path(ServerImage.DATA);
            try (Stream<Path> files = Files.list(data)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    TemporaryFolder.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        lost.kill();
    }

    /** It goes on after {@link #freeze}. */
    public synchronized void thaw() {
        running().thaw();
    }

    /**
     * The volumes of claims that a Pod of this name is the first to use get a disk of this size each; a server needs
     * some 64 to start.
     */
    public synchronized void quota(int megabytes) {
        this.megabytes = megabytes;
    }

    /**
     * Fills up the disk of its data, which has a {@link #quota}, to the last block. Small rows are then refused (error
     * 1114) and reads go on; a large value can make InnoDB abort, as it has to roll back what it has begun.
     */
    public synchronized void fill() {
        fill(0);
    }

    /** The same, but leaves so many megabytes free. */
    public synchronized void fill(int left) {
        if (megabytes == 0) {
            throw new IllegalStateException(name + " has no quota: this machine's own disk would be filled");
        }
        try (OutputStream ballast = Files.newOutputStream(running().path(BALLAST))) {
            byte[] block = new byte[BLOCK];
            File there = running().path(BALLAST).toFile();
            for (long written = 0; written < megabytes * 1024L * 1024; written += BLOCK) {
                if (left > 0 && there.getUsableSpace() <= left * 1024L * 1024) {
                    return;
                }
                ballast.write(block);
            }
        } catch (IOException full) {
            return;
        }
        throw new IllegalStateException("the disk of " + name + " is larger than its quota");
    }

    /** Makes room again after {@link #fill}. */
    public synchronized void free() {
        try {
            Files.deleteIfExists(running().path(BALLAST));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a command in its container, as {@code kubectl exec} does: what it says on both its outputs is one. */
    public synchronized Process exec(String... command) {
        try {
            return running().exec(List.of(command));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file or folder of it as this machine sees it, for as long as it runs. */
    public synchronized Path path(String path) {
        return running().path(path);
    }

    /** What the containers of the latest Pod of this name have said. */
    public synchronized String log() {
        try {
            return container == null ? "" : container.log();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a container beside the server of the latest Pod of this name has said; empty where there is none. */
    public synchronized String log(String beside) {
        try {
            return container == null ? "" : container.log(beside);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address of the Pods of this name. */
    synchronized void isAt(String address) {
        ip = address;
    }

    synchronized boolean isCutOff() {
        return cutOff;
    }

    synchronized boolean isHeld() {
        return held;
    }

    synchronized int megabytes() {
        return megabytes;
    }

    synchronized void started(RunningContainer container) {
        this.container = container;
        runs = true;
        if (held) {
            container.kill();
        }
    }

    synchronized void ended(RunningContainer ended) {
        runs = runs && container != ended;
    }

    private RunningContainer running() {
        if (!runs || container == null) {
            throw new IllegalStateException("nothing runs in the Pod " + name);
        }
        return container;
    }
}

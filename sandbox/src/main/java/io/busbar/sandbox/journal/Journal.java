package io.busbar.sandbox.journal;

import io.busbar.sandbox.journal.Snapshots.Snapshot;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.StoreEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a record of each change, and starts anew from a snapshot when it has grown.
 *
 * <p>One context, but for {@link #sync} and {@link #close}, which block: a record is handed to the operating system,
 * which takes it into memory, before the change is made; snapshots are written in the background.
 */
public final class Journal implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Journal.class);

    private final Folder folder;
    private final long limit;
    private volatile FileChannel channel;
    private int number;
    /** Where the last whole record ends. */
    private long end;
    /** Of all since the last snapshot. */
    private long grown;

    private volatile long snapshotSize;
    private volatile boolean compacting;
    private volatile boolean unsynced;

    /**
     * @param number of the file to go on with
     * @param end where its last whole record ends
     * @param limit in bytes; a snapshot is made when the journal is longer, and at least twice as long as the snapshot
     *     before
     */
    Journal(Folder folder, int number, long end, long limit) throws IOException {
        this.folder = folder;
        this.limit = limit;
        this.number = number;
        this.snapshotSize = folder.snapshotSize();
        this.channel = open(folder.journal(number), end);
        this.end = channel.position();
        this.grown = this.end;
    }

    /**
     * Records a change that is about to be made.
     *
     * @throws StatusException 500 when it can't be; it must not be made then
     */
    public void append(StoreEvent event) {
        append(Entries.encode(event));
    }

    /**
     * Records that all up to a revision is about to be too old.
     *
     * @throws StatusException 500 when it can't be; it must not be made then
     */
    public void compacted(long revision) {
        append(Entries.compaction(revision));
    }

    private void append(byte[] payload) {
        ByteBuffer bytes = Records.encode(payload);
        int size = bytes.remaining();
        try {
            // What a write that failed has left of itself is written over.
            channel.position(end);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (ClosedChannelException over) {
            throw StatusException.internal("the journal is closed");
        } catch (IOException e) {
            takeBack();
            log.atError().addKeyValue("folder", folder.path()).setCause(e).log("the journal cannot be written");
            throw StatusException.internal("the journal cannot be written: " + e.getMessage());
        }
        end += size;
        grown += size;
        unsynced = true;
    }

    /**
     * Starts a new file, and in the background a snapshot, when the journal has grown. To be called between changes.
     *
     * @param now all that is there
     */
    public void compact(Supplier<Snapshot> now, Executor background) {
        if (compacting || grown < Math.max(limit, 2 * snapshotSize)) {
            return;
        }
        FileChannel full = channel;
        try {
            channel = open(folder.journal(number + 1), 0);
        } catch (IOException e) {
            log.atWarn().addKeyValue("folder", folder.path()).setCause(e).log("the journal goes on without a snapshot");
            grown = 0;
            return;
        }
        number++;
        end = Records.MARK.length;
        grown = 0;
        compacting = true;
        Snapshot snapshot = now.get();
        int of = number;
        background.execute(() -> write(of, snapshot, full));
    }

    private void write(int of, Snapshot snapshot, FileChannel full) {
        try (full) {
            full.force(false);
            Snapshots.write(folder.snapshot(of), snapshot);
            snapshotSize = folder.snapshotSize();
            folder.forgetBefore(of);
        } catch (IOException e) {
            log.atWarn().addKeyValue("folder", folder.path()).setCause(e).log("a snapshot could not be written");
        } finally {
            compacting = false;
        }
    }

    /** Waits until all is on the disk; for a background thread. */
    public void sync() throws IOException {
        if (unsynced) {
            unsynced = false;
            try {
                channel.force(false);
            } catch (ClosedChannelException replaced) {
                // It was synced when it was replaced.
            }
        }
    }

    /** Ends it, when nothing is appended any more. */
    @Override
    public void close() throws IOException {
        try (folder) {
            sync();
            channel.close();
        }
    }

    private void takeBack() {
        try {
            channel.truncate(end);
        } catch (IOException e) {
            log.atError().addKeyValue("folder", folder.path()).setCause(e).log("the journal has a torn end");
        }
    }

    /** Cuts what is beyond the end, and goes on there. */
    private static FileChannel open(Path file, long end) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        channel.truncate(end);
        channel.position(end);
        if (end == 0) {
            channel.write(ByteBuffer.wrap(Records.MARK));
        }
        return channel;
    }
}

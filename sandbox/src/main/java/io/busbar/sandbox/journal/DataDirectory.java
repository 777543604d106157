package io.busbar.sandbox.journal;

import io.busbar.sandbox.journal.Snapshots.Snapshot;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Past;
import io.busbar.sandbox.storage.StoreEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder that keeps a sandbox's state, opened by one sandbox at a time.
 *
 * <p>One context, but for {@link #open}, {@link #sync} and {@link #close}, which block.
 */
public final class DataDirectory implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DataDirectory.class);
    private static final long LIMIT = 8L << 20;

    private final ServerIdentity identity;
    private final Journal journal;
    private final Past past;

    private DataDirectory(ServerIdentity identity, Journal journal, Past past) {
        this.identity = identity;
        this.journal = journal;
        this.past = past;
    }

    /**
     * Opens a folder, and makes it when it is not there.
     *
     * @param hosts names and addresses of the server
     * @param tls whether it needs a certificate
     * @throws DamagedException when what is there can't be trusted; nothing is changed then
     * @throws IOException when it can't be read or written, or another sandbox uses it
     */
    public static DataDirectory open(Path path, Collection<String> hosts, boolean tls) throws IOException {
        return open(path, hosts, tls, LIMIT);
    }

    /** @param limit the size of a journal in bytes, above which a snapshot is made */
    static DataDirectory open(Path path, Collection<String> hosts, boolean tls, long limit) throws IOException {
        Folder folder = Folder.open(path.toAbsolutePath().normalize());
        try {
            return recover(folder, ServerIdentity.keep(folder.identity(), hosts, tls), limit);
        } catch (IOException | RuntimeException failed) {
            folder.close();
            throw failed;
        }
    }

    private static DataDirectory recover(Folder folder, ServerIdentity identity, long limit) throws IOException {
        int base = folder.latestSnapshot();
        Snapshot snapshot = base == 0 ? new Snapshot(0, List.of()) : Snapshots.read(folder.snapshot(base));
        List<Integer> journals =
                folder.journals().stream().filter(number -> number >= base).toList();
        Recorded recorded = new Recorded();
        List<StoreEvent> changes = recorded.changes;
        long end = 0;
        for (int i = 0; i < journals.size() || i < Math.min(base, 1); i++) {
            Path file = folder.journal(base + i);
            if (i == journals.size() || journals.get(i) != base + i) {
                throw new DamagedException(file, 0, "is missing");
            }
            long revision =
                    changes.isEmpty() ? snapshot.revision() : last(changes).revision();
            end = read(file, revision, recorded, i == journals.size() - 1);
        }
        folder.forgetBefore(base);
        return new DataDirectory(
                identity,
                new Journal(folder, base + Math.max(0, journals.size() - 1), end, limit),
                new Past(snapshot.revision(), snapshot.objects(), changes, recorded.compacted));
    }

    /** @return where the last whole record ends */
    private static long read(Path file, long after, Recorded recorded, boolean last) throws IOException {
        List<StoreEvent> changes = recorded.changes;
        int before = changes.size();
        long end = Records.read(file, recorded::add);
        long revision = after;
        for (StoreEvent change : changes.subList(before, changes.size())) {
            if (change.revision() <= revision) {
                throw new DamagedException(file, end, "goes back to revision " + change.revision());
            }
            revision = change.revision();
        }
        long torn = Files.size(file) - end;
        if (torn > 0 && !last) {
            throw new DamagedException(file, end, "ends within a record, and is not the last");
        }
        if (torn > 0) {
            log.atWarn()
                    .addKeyValue("file", file)
                    .addKeyValue("bytes", torn)
                    .log("the end of the journal is torn, and cut off");
        }
        return end;
    }

    /** What journals hold. One thread. */
    private static final class Recorded {
        private final List<StoreEvent> changes = new ArrayList<>();
        private long compacted;

        void add(byte[] payload) {
            long revision = Entries.compacted(payload);
            if (revision > 0) {
                compacted = revision;
            } else {
                changes.add(Entries.decode(payload));
            }
        }
    }

    private static StoreEvent last(List<StoreEvent> changes) {
        return changes.get(changes.size() - 1);
    }

    public ServerIdentity identity() {
        return identity;
    }

    /**
     * Puts what was there into a store, and keeps its changes from then on. To be called when all that listens to the
     * store does.
     *
     * @param background runs what blocks
     */
    public void attach(MemoryStore store, Executor background) {
        store.restore(past);
        store.beforeChange(journal::append);
        store.beforeCompaction(journal::compacted);
        store.onChange(event -> journal.compact(() -> new Snapshot(store.revision(), store.everything()), background));
    }

    /** Waits until all changes are on the disk. */
    public void sync() throws IOException {
        journal.sync();
    }

    @Override
    public void close() throws IOException {
        journal.close();
    }
}

package io.busbar.sandbox.journal;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.storage.StoreEvent;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Writes and reads all objects at once. Any thread. */
final class Snapshots {

    /** @param objects as they were at the revision */
    record Snapshot(long revision, List<StoreEvent> objects) {}

    private Snapshots() {}

    /** Writes a whole file, or none. */
    static void write(Path file, Snapshot snapshot) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                        unfinished,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16)) {
            out.write(Records.MARK);
            write(out, Entries.beginning(snapshot.revision(), snapshot.objects().size()));
            for (StoreEvent object : snapshot.objects()) {
                write(out, Entries.encode(object));
            }
            out.flush();
            channel.force(true);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void write(OutputStream out, byte[] payload) throws IOException {
        out.write(Records.encode(payload).array());
    }

    static Snapshot read(Path file) throws IOException {
        List<byte[]> payloads = new ArrayList<>();
        long end = Records.read(file, payloads::add);
        JsonNode beginning = payloads.isEmpty() ? null : Entries.node(payloads.get(0));
        if (beginning == null || beginning.path("count").asInt() != payloads.size() - 1) {
            throw new DamagedException(file, end, "is not whole");
        }
        return new Snapshot(
                beginning.path("revision").asLong(),
                payloads.stream().skip(1).map(Entries::decode).toList());
    }
}

package io.busbar.operator.mysqlcluster.s3;

import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The transactions that lead from a backup to a target. All binary logs that they are in were read from their beginning
 * to their end, and are what they were when they were archived.
 *
 * <p>One thread; blocks. What cannot be read is an {@link S3Failure}.
 */
final class Replay {

    private static final int BUFFER_BYTES = 1 << 16;

    private final Flavor flavor;
    private final Position backup;
    private final Target target;
    private final List<Source> sources = new ArrayList<>();
    private final Selection selection;

    private Replay(Flavor flavor, Position backup, Target target) {
        this.flavor = flavor;
        this.backup = backup;
        this.target = target;
        this.selection = new Selection(flavor, backup, target);
    }

    /** One that was read once. Immutable. */
    private record Source(String name, ObjectStream first) {}

    /**
     * @param archive beside the backup
     * @param manifest of the backup
     * @param goal the target, of a flavor
     * @throws OutOfReach when the archive does not lead there
     */
    static Replay of(LogArchive archive, Manifest manifest, Function<Flavor, Target> goal) {
        Flavor flavor = manifest.flavor();
        Target target = goal.apply(flavor);
        if (target instanceof Target.Moment moment && !isBefore(goal, manifest)) {
            throw new OutOfReach("the backup was complete at " + manifest.completionTime() + ", after "
                    + moment.second() + ": name an older backup, or a later moment");
        }
        Replay replay = new Replay(flavor, manifest.position(), target);
        replay.read(archive);
        return replay;
    }

    /** Whether a backup has nothing but what is asked for, as far as its manifest tells. */
    static boolean isBefore(Function<Flavor, Target> goal, Manifest manifest) {
        Target target = goal.apply(manifest.flavor());
        if (target instanceof Target.Transactions asked) {
            return asked.all().reaches(manifest.position());
        }
        return target instanceof Target.Moment moment
                && !moment.second().isBefore(Instant.parse(manifest.completionTime()));
    }

    private void read(LogArchive archive) {
        Instant closed = Instant.EPOCH;
        // What cannot be replayed is found before anything is touched.
        LogEvents.Sink nowhere = sink(OutputStream.nullOutputStream());
        for (Segment segment : chain(archive)) {
            Source source = new Source("the binary log " + segment.number(), archive.open(segment));
            sources.add(source);
            closed = copy(source, source.first(), nowhere, selection);
            if (selection.isBeyond()) {
                break;
            }
        }
        selection.requireEnd(closed);
    }

    /** By the last binary logs that follow on the backup, where these lead there: what is before them is not read. */
    private List<Segment> chain(LogArchive archive) {
        Chain chain = new Chain(flavor, backup, target);
        try {
            return chain.of(archive.segmentsFrom(segment -> backup.reaches(Position.of(flavor, segment.start()))));
        } catch (OutOfReach perhapsByOlderOnes) {
            return chain.of(archive.segments());
        }
    }

    /** Programs of MariaDB read its logs; of MySQL they are made statements here. */
    private LogEvents.Sink sink(OutputStream to) {
        try {
            return flavor == Flavor.MYSQL ? new LogStatements("the archive", to) : new LogEvents.LogFile(to);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static Instant copy(Source source, ObjectStream object, LogEvents.Sink to, Selection selection) {
        try (InputStream log = new BufferedInputStream(new GZIPInputStream(object, BUFFER_BYTES), BUFFER_BYTES)) {
            return new LogEvents(source.name(), log).copy(to, selection::choose);
        } catch (IOException unreadable) {
            throw new S3Failure(source.name() + " of the archive cannot be read: " + unreadable);
        }
    }

    /** Where a server stands that was given the backup, and all of these. */
    Position end() {
        return selection.reached();
    }

    long transactions() {
        return selection.taken();
    }

    /**
     * All of them, as one binary log of MariaDB, or as statements for MySQL, compressed: who reads it sees whether it is
     * whole.
     */
    void send(OutputStream to) throws IOException {
        Selection again = new Selection(flavor, backup, target);
        GZIPOutputStream zipped = new GZIPOutputStream(new BufferedOutputStream(to, BUFFER_BYTES), BUFFER_BYTES);
        try {
            OutputStream buffered = new BufferedOutputStream(new Piped(zipped), BUFFER_BYTES);
            LogEvents.Sink sent = sink(buffered);
            for (Source source : sources) {
                copy(source, source.first().again(), sent, again);
            }
            sent.end();
            buffered.flush();
        } catch (UncheckedIOException broken) {
            throw broken.getCause();
        }
        if (!again.reached().text().equals(end().text())) {
            throw new S3Failure("the archive was changed while it was read");
        }
        zipped.finish();
        zipped.flush();
    }

    /** Tells a pipe that breaks from a binary log that cannot be read. */
    private static final class Piped extends FilterOutputStream {

        Piped(OutputStream to) {
            super(to);
        }

        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            try {
                out.write(bytes, offset, length);
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }
}

package io.busbar.operator.mysqlcluster.s3;

import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The binary logs that lead from a backup to a target, by what stands beside them alone. After a failover they overlap:
 * another server has the same transactions, in files that begin and end elsewhere. After a gap or a fork another history
 * begins, and nothing leads from one into the other. Of those that lead to the target the newest is taken: writes that a
 * failover took away stay away, unless they are asked for by name.
 *
 * <p>Pure; any thread.
 */
final class Chain {

    private final Flavor flavor;
    private final Position backup;
    private final Target target;

    /** @param backup what it holds */
    Chain(Flavor flavor, Position backup, Target target) {
        this.flavor = flavor;
        this.backup = backup;
        this.target = target;
    }

    /**
     * Those to be read, in their order. Of a moment, the last one tells whether the archive reaches it.
     *
     * @param archived all of the archive, in their order
     * @throws OutOfReach when they do not lead there
     */
    List<Segment> of(List<Segment> archived) {
        if (target instanceof Target.Transactions asked && !asked.all().reaches(backup)) {
            throw new OutOfReach("gtid is '" + asked.all().text() + "', and the backup holds more, '" + backup.text()
                    + "': name an older backup, or write all that is to be there");
        }
        if (archived.isEmpty() && !(target instanceof Target.Transactions asked && backup.contains(asked.all()))) {
            throw new OutOfReach("there is no archive of binary logs beside the backup: see spec.backup.archive");
        }
        List<List<Segment>> histories = histories(archived);
        OutOfReach ofNewest = null;
        for (int i = histories.size() - 1; i >= 0; i--) {
            boolean isNewest = i == histories.size() - 1;
            try {
                return within(histories.get(i), isNewest);
            } catch (OutOfReach why) {
                ofNewest = isNewest ? why : ofNewest;
            }
        }
        if (ofNewest != null) {
            throw ofNewest;
        }
        return List.of();
    }

    /** Each as long as it goes on without a gap or a fork; the newest is the last. */
    private static List<List<Segment>> histories(List<Segment> archived) {
        List<List<Segment>> histories = new ArrayList<>();
        for (Segment segment : archived) {
            if (histories.isEmpty() || !segment.continues()) {
                histories.add(new ArrayList<>());
            }
            histories.get(histories.size() - 1).add(segment);
        }
        return histories;
    }

    /** @param isNewest whether it may still go on, so that its last file tells how far it reaches */
    private List<Segment> within(List<Segment> history, boolean isNewest) {
        List<Segment> chain = new ArrayList<>();
        Position reached = backup;
        Segment before = null;
        boolean isThere = false;
        for (Segment segment : history) {
            isThere = isBeyond(segment, reached);
            if (isThere) {
                break;
            }
            Position end = position(segment.end());
            if (!reached.reaches(end)) {
                requireNext(segment, before, reached);
                chain.add(segment);
                reached = reached.and(end);
                isThere = isPassed(segment.lastEventTime());
                if (isThere) {
                    break;
                }
            }
            before = segment;
        }
        if (target instanceof Target.Transactions asked && !reached.contains(asked.all())) {
            throw new OutOfReach("the archive does not have all of gtid '"
                    + asked.all().text() + "': it ends at '" + reached.text() + "'");
        }
        if (target instanceof Target.Moment && !isThere) {
            if (!isNewest) {
                throw new OutOfReach("the history that ends at '" + reached.text() + "' ends before that moment");
            }
            if (before != null && !chain.contains(before)) {
                chain.add(before);
            }
        }
        requireOneHistory(chain);
        return List.copyOf(chain);
    }

    private boolean isBeyond(Segment segment, Position reached) {
        if (target instanceof Target.Transactions asked) {
            return reached.reaches(asked.all());
        }
        return isPassed(segment.firstEventTime()) && reached.reaches(position(segment.start()));
    }

    private void requireNext(Segment segment, @Nullable Segment before, Position reached) {
        if (reached.reaches(position(segment.start()))) {
            return;
        }
        String where = "begins at '" + segment.start() + "', and all before that is '" + reached.text()
                + "'; name a backup that was made after that, or an earlier moment";
        if (before == null) {
            throw new OutOfReach("there is a gap or a fork in the archive before the binary log " + segment.number()
                    + ", which " + where);
        }
        long next = before.number() + 1;
        throw new OutOfReach(
                segment.number() > next
                        ? "the archive lacks the binary logs " + next + " to " + (segment.number() - 1)
                                + ": the next one " + where
                        : "there is a gap in the archive before the binary log " + segment.number() + ", which "
                                + where);
    }

    /** A backup may be of a primary whose last writes nobody else has got. */
    private void requireOneHistory(List<Segment> chain) {
        Segment last = chain.isEmpty() ? null : chain.get(chain.size() - 1);
        if (last != null
                && flavor == Flavor.MYSQL
                && !position(last.end()).contains(backup)
                && !backup.contains(position(last.end()))) {
            throw new OutOfReach(
                    "the backup holds '" + backup.minus(position(last.end())).text()
                            + "', which the server of the binary log " + last.number()
                            + " never had: they are of different histories; name another backup");
        }
    }

    private Position position(String text) {
        return Position.of(flavor, text);
    }

    /** Servers tell no time that is later than that of the commit. */
    private boolean isPassed(@Nullable String time) {
        return target instanceof Target.Moment moment && time != null && moment.isPassed(Instant.parse(time));
    }
}

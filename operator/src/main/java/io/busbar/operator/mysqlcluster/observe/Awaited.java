package io.busbar.operator.mysqlcluster.observe;

import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a replica of MySQL was seen to lack of what the primary had. A source sends all in the order in which it has
 * written: a replica that has got anything newer since, and still not that, never gets it.
 *
 * <p>Immutable.
 *
 * @param source whom it followed then, as {@link ServerState#writer} has it
 * @param missing what the primary had and the replica had not received
 * @param had all that the primary had then
 * @param since when that was
 */
public record Awaited(String source, Position missing, Position had, Instant since) {

    /** Members are not asked at one moment, and servers may count transactions a moment later than they write them. */
    private static final Duration LEAST = Duration.ofSeconds(10);

    /** By the names of members, after all have been looked at: one is kept until what was missing then is there. */
    static Map<String, Awaited> after(
            Map<String, Awaited> before, Members members, Optional<Member> primary, Instant now) {
        Map<String, Awaited> next = new HashMap<>();
        Member source = primary.filter(Member::reachable).orElse(null);
        if (source == null) {
            return next;
        }
        String writer = writer(source);
        Position had = source.state().orElseThrow().history();
        for (Member member : members.except(source)) {
            if (!isFlowing(member, source)) {
                continue;
            }
            Awaited known = before.get(member.name());
            if (known != null
                    && known.source.equals(writer)
                    && !known.missing.minus(received(member)).isEmpty()) {
                next.put(member.name(), known);
            } else if (!had.minus(received(member)).isEmpty()) {
                next.put(member.name(), new Awaited(writer, had.minus(received(member)), had, now));
            }
        }
        return next;
    }

    /** What of it the replica will never get; empty where it may still come. */
    public Optional<Position> skipped(Member member, Member primary, Instant now) {
        if (!isFlowing(member, primary) || !source.equals(writer(primary)) || now.isBefore(since.plus(LEAST))) {
            return Optional.empty();
        }
        Position newer = primary.state().orElseThrow().history().minus(had);
        boolean hasNewer = !newer.minus(newer.minus(received(member))).isEmpty();
        return Optional.of(missing.minus(received(member))).filter(still -> hasNewer && !still.isEmpty());
    }

    private static boolean isFlowing(Member member, Member source) {
        return member.state()
                        .filter(state -> state.flavor() == ServerState.Flavor.MYSQL)
                        .isPresent()
                && member.isReceivingFrom(source)
                && source.reachable();
    }

    private static String writer(Member source) {
        return source.state().map(ServerState::writer).orElse("");
    }

    private static Position received(Member member) {
        return member.replication().orElseThrow().received();
    }
}

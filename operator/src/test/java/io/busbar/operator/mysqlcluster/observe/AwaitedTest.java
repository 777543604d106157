package io.busbar.operator.mysqlcluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.sql.Replication.Io;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A replica 1 of MySQL that follows a primary 0; {@code a} wrote before that, and is gone. */
class AwaitedTest {

    private static final Instant BEGIN = Instant.parse("2026-11-24T06:00:00Z");

    private static String gtids(String text) {
        return text.replaceAll("([a-z]):", "$1c000000-e7cc-11f1-bb04-02fc00000001:");
    }

    private static Position position(String text) {
        return Position.of(Flavor.MYSQL, gtids(text));
    }

    private static Endpoint endpoint(int ordinal) {
        return new Endpoint("10.0.0." + ordinal, 3306);
    }

    private static Member member(int ordinal, String has, Optional<Replication> replication) {
        Position history = position(has);
        ServerState state = new ServerState(
                Flavor.MYSQL,
                "9.7.4",
                100L + ordinal,
                gtids(ordinal == 0 ? "b:" : "c:").replace(":", ""),
                ordinal > 0,
                history,
                history,
                position(""),
                replication,
                false,
                false,
                0,
                Optional.empty());
        return new Member(
                ordinal,
                "db-" + ordinal,
                Optional.empty(),
                Optional.of(endpoint(ordinal)),
                Optional.of(state),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static Member primary(String has) {
        return member(0, has, Optional.empty());
    }

    private static Member replica(String has, Io io) {
        return member(
                1,
                has,
                Optional.of(new Replication(
                        endpoint(0), io, true, 0, "", 0, "", Optional.of(Duration.ZERO), position(has))));
    }

    /**
     * What was skipped at last.
     *
     * @param step between looks
     * @param looks what the primary and the replica have, and {@code away} where that is not connected
     */
    private static Optional<Position> skipped(Duration step, String... looks) {
        Map<String, Awaited> awaited = Map.of();
        Instant now = BEGIN;
        Optional<Position> skipped = Optional.empty();
        for (String look : looks) {
            String[] has = look.split(" ", -1);
            Member primary = primary(has[0]);
            Member replica = replica(has[1], has.length > 2 ? Io.CONNECTING : Io.YES);
            Instant seen = now;
            awaited = Awaited.after(awaited, new Members(List.of(primary, replica)), Optional.of(primary), seen);
            skipped = Optional.ofNullable(awaited.get("db-1")).flatMap(one -> one.skipped(replica, primary, seen));
            now = now.plus(step);
        }
        return skipped;
    }

    @Test
    void what_is_not_there_when_something_newer_is_never_comes() {
        Duration minute = Duration.ofMinutes(1);

        assertThat(skipped(minute, "a:1-9,b:1-5 a:1-7", "a:1-9,b:1-8 a:1-7,b:1-7"))
                .contains(position("a:8-9"));
        assertThat(skipped(minute, "a:1-9,b:1-5 a:1-7:9", "a:1-9,b:1-8 a:1-7:9,b:1-7"))
                .contains(position("a:8"));
    }

    @Test
    void what_may_still_come_is_waited_for() {
        Duration minute = Duration.ofMinutes(1);

        assertThat(skipped(minute, "a:1-9,b:1-8 a:1-7", "a:1-9,b:1-8 a:1-7", "a:1-9,b:1-9 a:1-7,b:1-5"))
                .as("all that it got may have been written before")
                .isEmpty();
        assertThat(skipped(minute, "a:1-9,b:1-5 a:1-7", "a:1-9,b:1-8 a:1-9,b:1-7"))
                .as("it has come")
                .isEmpty();
        assertThat(skipped(Duration.ofSeconds(2), "a:1-9,b:1-5 a:1-7", "a:1-9,b:1-8 a:1-7,b:1-7"))
                .as("it is too early to tell")
                .isEmpty();
        assertThat(skipped(minute, "a:1-9,b:1-5 a:1-7", "a:1-9,b:1-8 a:1-7,b:1-7 away"))
                .as("it follows nobody just now")
                .isEmpty();
        assertThat(skipped(minute, "a:1-9,b:1-5 a:1-7", "a:1-9,b:1-6 a:1-7 away", "a:1-9,b:1-8 a:1-7,b:1-7"))
                .as("it has connected anew since")
                .isEmpty();
    }
}

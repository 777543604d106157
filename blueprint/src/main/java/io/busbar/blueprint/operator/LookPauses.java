package io.busbar.blueprint.operator;

import io.busbar.common.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When the instances of Blueprints that do not run are looked at: all of them are listed for that. There is a pause
 * between two looks, whatever there is to tell, and it grows while that is the same. Blueprints are known by their
 * names.
 *
 * <p>Any thread, one at a time for each Blueprint.
 */
final class LookPauses {

    private static final int MOST_TIMES = 10;

    private final InstantSource clock;
    private final Duration shortest;
    private final Duration longest;
    private final Map<String, Look> looks = new ConcurrentHashMap<>();
    private final Map<String, Instant> starting = new ConcurrentHashMap<>();

    /**
     * @param pause before the next one, if that has the same to tell
     * @param last instance that it has come to; empty where that was the end
     */
    private record Look(String why, Instant at, Duration pause, Optional<ObjectKey> last) {}

    /** @param shortest pause; the longest is ten times that */
    LookPauses(InstantSource clock, Duration shortest) {
        this.clock = clock;
        this.shortest = shortest;
        this.longest = shortest.multipliedBy(MOST_TIMES);
    }

    /** How long it is until there may be a look that has this to tell; zero for now. */
    Duration untilNext(String blueprint, String why) {
        Look last = looks.get(blueprint);
        if (last == null) {
            return Duration.ZERO;
        }
        Instant next = last.at().plus(last.why().equals(why) ? last.pause() : shortest);
        Duration left = Duration.between(clock.instant(), next);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** The instance after which a look goes on that has this to tell; empty for one from the beginning. */
    Optional<ObjectKey> last(String blueprint, String why) {
        return Optional.ofNullable(looks.get(blueprint))
                .filter(look -> look.why().equals(why))
                .flatMap(Look::last);
    }

    /**
     * Notes a look.
     *
     * @param all whether there is none that it has left for the next one, which is soon then
     * @param last after which the next one goes on
     */
    void looked(String blueprint, String why, boolean all, Optional<ObjectKey> last) {
        Duration pause = Optional.ofNullable(looks.get(blueprint))
                .filter(before -> all && before.why().equals(why))
                .map(before -> before.pause().multipliedBy(2))
                .orElse(shortest);
        looks.put(blueprint, new Look(why, clock.instant(), pause.compareTo(longest) > 0 ? longest : pause, last));
    }

    /** Whether one has been starting for as long as the shortest pause: most are only about to run. */
    boolean startsForLong(String blueprint) {
        Instant now = clock.instant();
        Instant since = starting.computeIfAbsent(blueprint, name -> now);
        return !since.plus(shortest).isAfter(now);
    }

    /** It runs, or is not going to. */
    void startsNoMore(String blueprint) {
        starting.remove(blueprint);
    }

    /** It runs: what is told of it next is another thing. */
    void runs(String blueprint) {
        startsNoMore(blueprint);
        looks.computeIfPresent(blueprint, (name, last) -> new Look("", last.at(), shortest, Optional.empty()));
    }

    void forget(String blueprint) {
        starting.remove(blueprint);
        looks.remove(blueprint);
    }
}

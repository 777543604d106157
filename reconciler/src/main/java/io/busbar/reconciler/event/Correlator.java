package io.busbar.reconciler.event;

import io.busbar.common.traffic.TokenBucket;
import io.busbar.reconciler.RateLimit;
import io.busbar.reconciler.event.Occurrence.Regarding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of an occurrence: a new Event, a higher count on one that exists, or nothing for now.
 *
 * <p>Equal occurrences, none later than {@link #SERIES_GAP} after the one before, are one Event. For each object 25
 * writes pass at once, then one each 5 min; what is held back is counted, and the next write, or the end of the series,
 * tells the sum.
 *
 * <p>One thread. Source of the figures: client-go's event series and its spam filter.
 */
final class Correlator {

    static final Duration SERIES_GAP = Duration.ofMinutes(6);
    private static final RateLimit FOR_AN_OBJECT = new RateLimit(1.0 / 300, 25);
    private static final int MOST = 4096;

    private final Map<Occurrence, Series> series = bounded();
    private final Map<Regarding, TokenBucket> limits = bounded();
    private long lastStamp;

    sealed interface Decision {
        record Create(Occurrence occurrence, String name, Instant at) implements Decision {}

        record Count(Occurrence occurrence, String name, int count, Instant last) implements Decision {}

        record HoldBack() implements Decision {}
    }

    private static final class Series {
        final String name;
        int count = 1;
        int written = 1;
        Instant last;

        Series(String name, Instant at) {
            this.name = name;
            this.last = at;
        }
    }

    Decision observe(Occurrence occurrence, Instant at) {
        Series known = series.get(occurrence);
        if (known != null) {
            known.count++;
            known.last = at;
        }
        if (!limit(occurrence.regarding(), at).tryTake(nanos(at))) {
            return new Decision.HoldBack();
        }
        return known == null ? begin(occurrence, at) : count(occurrence, known);
    }

    /** A new Event, whatever was known of this one. */
    Decision.Create begin(Occurrence occurrence, Instant at) {
        lastStamp = Math.max(lastStamp + 1, nanos(at));
        String name = name(occurrence.regarding().name(), lastStamp);
        series.put(occurrence, new Series(name, at));
        return new Decision.Create(occurrence, name, at);
    }

    private static Decision count(Occurrence occurrence, Series known) {
        known.written = known.count;
        return new Decision.Count(occurrence, known.name, known.count, known.last);
    }

    /** The Event could not be written: the next of these is a new one. */
    void forget(Occurrence occurrence) {
        series.remove(occurrence);
    }

    /** Ends the series that have gone quiet; returns the counts that have yet to be written. */
    List<Decision> endSeries(Instant now) {
        List<Decision> unwritten = new ArrayList<>();
        for (Iterator<Map.Entry<Occurrence, Series>> all = series.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<Occurrence, Series> entry = all.next();
            Series known = entry.getValue();
            if (known.last.plus(SERIES_GAP).isBefore(now)) {
                all.remove();
                if (known.written < known.count) {
                    unwritten.add(count(entry.getKey(), known));
                }
            }
        }
        return unwritten;
    }

    private TokenBucket limit(Regarding regarding, Instant at) {
        @Nullable TokenBucket known = limits.get(regarding);
        if (known == null) {
            known = new TokenBucket(FOR_AN_OBJECT.perSecond(), FOR_AN_OBJECT.burst(), nanos(at));
            limits.put(regarding, known);
        }
        return known;
    }

    /** At most 253 characters, as any name: the stamp takes 16 and a dot. */
    private static String name(String regarding, long stamp) {
        String prefix = regarding.length() > 236 ? regarding.substring(0, 236) : regarding;
        return prefix + "." + Long.toHexString(stamp);
    }

    private static long nanos(Instant instant) {
        return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
    }

    private static <K, V> Map<K, V> bounded() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > MOST;
            }
        };
    }
}

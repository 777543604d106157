package io.busbar.reconciler.source;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.function.Function;

/**
 * Has all primaries reconciled at certain times, behind what is more urgent. Where only the time of a single primary
 * counts, a reconciler returns {@link io.busbar.reconciler.ReconcileResult#requeueAfter} instead; where any time will
 * do, {@link io.busbar.reconciler.Controller#resync} spreads them over an interval.
 *
 * <p>Times that pass while no replica leads are left out.
 *
 * <p>Immutable, if the function is.
 *
 * @param name stands in logs; unique in a controller
 * @param next the first time after another; empty where there is none any more. Must be pure and quick.
 */
public record TimerSource(String name, Function<Instant, Optional<Instant>> next) implements EventSource<HasMetadata> {

    private static final CronParser CRON = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    /**
     * Once in each interval, the first time when one has passed.
     *
     * @throws IllegalArgumentException when it is not more than zero
     */
    public static TimerSource every(String name, Duration interval) {
        if (interval.isZero() || interval.isNegative()) {
            throw new IllegalArgumentException(
                    "event source " + name + ": every " + interval + " is not allowed; allowed: more than PT0S");
        }
        return new TimerSource(name, after -> Optional.of(after.plus(interval)));
    }

    /**
     * By cron.
     *
     * @param fields minute, hour, day of month, month and day of week, such as {@code 0 3 * * *}
     * @param zone in which they are meant
     * @throws IllegalArgumentException when these are no five fields of cron
     */
    public static TimerSource cron(String name, String fields, ZoneId zone) {
        ExecutionTime times;
        try {
            times = ExecutionTime.forCron(CRON.parse(fields).validate());
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "event source " + name + ": '" + fields + "' is not allowed; allowed: five fields of cron, such as"
                            + " '0 3 * * *' (" + wrong.getMessage() + ")",
                    wrong);
        }
        return new TimerSource(
                name, after -> times.nextExecution(after.atZone(zone)).map(ZonedDateTime::toInstant));
    }
}

package io.busbar.operator.mysqlcluster.backup;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** When something is due, by five fields of cron in a time zone. Immutable. */
public final class Timetable {

    private static final CronParser PARSER = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    private final ExecutionTime times;
    private final ZoneId zone;

    private Timetable(ExecutionTime times, ZoneId zone) {
        this.times = times;
        this.zone = zone;
    }

    /**
     * @throws IllegalArgumentException when these are not five fields of cron, or no time zone
     */
    public static Timetable of(String schedule, @Nullable String timeZone) {
        return new Timetable(ExecutionTime.forCron(PARSER.parse(schedule).validate()), zone(timeZone));
    }

    /**
     * UTC for none.
     *
     * @throws IllegalArgumentException when there is no zone of that name
     */
    static ZoneId zone(@Nullable String name) {
        try {
            return name == null || name.isEmpty() ? ZoneOffset.UTC : ZoneId.of(name);
        } catch (DateTimeException unknown) {
            throw new IllegalArgumentException("not a time zone: " + name, unknown);
        }
    }

    /** The first after a time; empty where there is none, as on February 30. */
    public Optional<Instant> next(Instant after) {
        return times.nextExecution(at(after)).map(ZonedDateTime::toInstant);
    }

    /** The last before a time, or at it. */
    Optional<Instant> last(Instant until) {
        return times.lastExecution(at(until.plusMillis(1))).map(ZonedDateTime::toInstant);
    }

    /** Whether something is due at exactly that time. */
    boolean has(Instant time) {
        return next(time.minusMillis(1)).filter(time::equals).isPresent();
    }

    private ZonedDateTime at(Instant time) {
        return time.atZone(zone);
    }
}

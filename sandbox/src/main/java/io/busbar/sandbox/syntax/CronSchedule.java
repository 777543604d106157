package io.busbar.sandbox.syntax;

import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When a CronJob is due: five fields, a name such as {@code @daily}, or {@code @every 1h30m}.
 *
 * <p>Immutable.
 */
public final class CronSchedule {

    private static final Pattern EVERY =
            Pattern.compile("@every (?=.)(?:(\\d{1,6})h)?(?:(\\d{1,6})m)?(?:(\\d{1,6})s)?");
    private static final List<String> NAMES =
            List.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");
    private static final CronDefinition FIELDS = CronDefinitionBuilder.defineCron()
            .withMinutes()
            .withValidRange(0, 59)
            .withStrictRange()
            .and()
            .withHours()
            .withValidRange(0, 23)
            .withStrictRange()
            .and()
            .withDayOfMonth()
            .withValidRange(1, 31)
            .withStrictRange()
            .and()
            .withMonth()
            .withValidRange(1, 12)
            .withStrictRange()
            .and()
            .withDayOfWeek()
            .withValidRange(0, 7)
            .withMondayDoWValue(1)
            .withIntMapping(7, 0)
            .withStrictRange()
            .and()
            .withSupportedNicknameYearly()
            .withSupportedNicknameAnnually()
            .withSupportedNicknameMonthly()
            .withSupportedNicknameWeekly()
            .withSupportedNicknameDaily()
            .withSupportedNicknameMidnight()
            .withSupportedNicknameHourly()
            .instance();

    private interface Times {

        Optional<ZonedDateTime> next(ZonedDateTime after);

        Optional<ZonedDateTime> last(ZonedDateTime before);
    }

    private final Times times;
    private final ZoneId zone;

    private CronSchedule(Times times, ZoneId zone) {
        this.times = times;
        this.zone = zone;
    }

    /** @throws IllegalArgumentException with what is wrong, in the words of the API server where it counts fields */
    public static CronSchedule parse(String text, ZoneId zone) {
        Matcher every = EVERY.matcher(text);
        if (every.matches()) {
            return new CronSchedule(every(every), zone);
        }
        String[] fields = text.trim().split("\\s+", -1);
        if (fields.length != 5 && !NAMES.contains(text)) {
            throw new IllegalArgumentException(
                    "expected exactly 5 fields, found " + fields.length + ": " + List.of(fields));
        }
        ExecutionTime execution = ExecutionTime.forCron(new CronParser(FIELDS).parse(text.replace('?', '*')));
        return new CronSchedule(
                new Times() {
                    @Override
                    public Optional<ZonedDateTime> next(ZonedDateTime after) {
                        return execution.nextExecution(after);
                    }

                    @Override
                    public Optional<ZonedDateTime> last(ZonedDateTime before) {
                        return execution.lastExecution(before);
                    }
                },
                zone);
    }

    /** Empty when there is none, as for a 30th of February. */
    public Optional<Instant> next(Instant after) {
        return times.next(after.atZone(zone)).map(ZonedDateTime::toInstant);
    }

    /** The last time that is after the one given and not after now. */
    public Optional<Instant> due(Instant after, Instant now) {
        return times.last(now.plusSeconds(1).atZone(zone))
                .map(ZonedDateTime::toInstant)
                .filter(last -> last.isAfter(after) && !last.isAfter(now));
    }

    /** Counted from the epoch, so that asking again gives the same times. */
    private static Times every(Matcher every) {
        Duration step =
                Duration.ofHours(number(every, 1)).plusMinutes(number(every, 2)).plusSeconds(number(every, 3));
        long seconds = Math.max(1, step.toSeconds());
        return new Times() {
            @Override
            public Optional<ZonedDateTime> next(ZonedDateTime after) {
                return at(Math.floorDiv(after.toEpochSecond(), seconds) + 1, after);
            }

            @Override
            public Optional<ZonedDateTime> last(ZonedDateTime before) {
                return at(Math.floorDiv(before.toEpochSecond() - 1, seconds), before);
            }

            private Optional<ZonedDateTime> at(long steps, ZonedDateTime like) {
                return Optional.of(Instant.ofEpochSecond(steps * seconds).atZone(like.getZone()));
            }
        };
    }

    private static long number(Matcher every, int group) {
        String digits = every.group(group);
        return digits == null ? 0 : Long.parseLong(digits);
    }
}

package io.busbar.sandbox.syntax;

import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneRulesProvider;
import java.util.ArrayList;
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

    private static final String EVERY = "@every ";
    private static final Pattern ZONE = Pattern.compile("(?:CRON_)?TZ=([^ ]*) +(.*)", Pattern.DOTALL);
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

    private static final Times NEVER = new Times() {
        @Override
        public Optional<ZonedDateTime> next(ZonedDateTime after) {
            return Optional.empty();
        }

        @Override
        public Optional<ZonedDateTime> last(ZonedDateTime before) {
            return Optional.empty();
        }
    };

    private final Times times;
    private final ZoneId zone;

    private CronSchedule(Times times, ZoneId zone) {
        this.times = times;
        this.zone = zone;
    }

    /** @throws IllegalArgumentException with what is wrong, in the words of the API server */
    public static CronSchedule parse(String text, ZoneId zone) {
        Matcher zoned = ZONE.matcher(text);
        if (zoned.matches()) {
            String name = zoned.group(1);
            if (!isZone(name)) {
                throw new IllegalArgumentException("provided bad location " + name + ": unknown time zone " + name);
            }
            return parse(zoned.group(2).strip(), ZoneId.of(name));
        }
        if (text.startsWith(EVERY)) {
            return new CronSchedule(every(period(text)), zone);
        }
        if (text.startsWith("@")) {
            if (!NAMES.contains(text)) {
                throw new IllegalArgumentException("unrecognized descriptor: " + text);
            }
            return new CronSchedule(times(text), zone);
        }
        return fields(text.strip(), zone);
    }

    /** Whether the API server knows the zone, which it does by the names of IANA only. */
    public static boolean isZone(String name) {
        return ZoneRulesProvider.getAvailableZoneIds().contains(name);
    }

    private static CronSchedule fields(String text, ZoneId zone) {
        String[] texts = text.isEmpty() ? new String[0] : text.split("\\s+", -1);
        if (texts.length != CronField.ALL.size()) {
            throw new IllegalArgumentException(
                    "expected exactly 5 fields, found " + texts.length + ": [" + String.join(" ", texts) + "]");
        }
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < texts.length; i++) {
            fields.add(CronField.ALL.get(i).values(texts[i]));
        }
        return new CronSchedule(fields.contains("") ? NEVER : times(String.join(" ", fields)), zone);
    }

    private static Times times(String text) {
        ExecutionTime execution = ExecutionTime.forCron(new CronParser(FIELDS).parse(text));
        return new Times() {
            @Override
            public Optional<ZonedDateTime> next(ZonedDateTime after) {
                return execution.nextExecution(after);
            }

            @Override
            public Optional<ZonedDateTime> last(ZonedDateTime before) {
                return execution.lastExecution(before);
            }
        };
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

    private static Duration period(String text) {
        try {
            return GoDuration.parse(text.substring(EVERY.length()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("failed to parse duration " + text + ": " + e.getMessage(), e);
        }
    }

    /** Counted from the epoch, so that asking again gives the same times. */
    private static Times every(Duration step) {
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
}

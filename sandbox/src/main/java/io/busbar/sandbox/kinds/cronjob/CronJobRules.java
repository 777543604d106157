package io.busbar.sandbox.kinds.cronjob;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.syntax.CronSchedule;
import java.time.ZoneOffset;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules of CronJobs. Any thread. */
public final class CronJobRules extends BuiltInRules {

    /** Eleven characters less than of a Job, for the time that is added to the name. */
    private static final int LONGEST_NAME = 52;

    public static final RulesFile RULES = RulesFile.beside(
            CronJobRules.class, Map.of("schedule", CronJobRules::schedule, "timeZone", CronJobRules::timeZone));

    public CronJobRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void check(Causes causes, ObjectNode job, @Nullable ObjectNode before, String subresource) {
        String name = job.at("/metadata/name").asText();
        if (before == null && name.length() > LONGEST_NAME) {
            causes.invalid("metadata.name", name, "must be no more than 52 characters");
        }
    }

    private static void schedule(Place schedule) {
        try {
            CronSchedule.parse(schedule.value().asText(), ZoneOffset.UTC);
        } catch (IllegalArgumentException e) {
            schedule.invalid(String.valueOf(e.getMessage()));
        }
        if (schedule.value().asText().contains("TZ")) {
            schedule.invalid("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
        }
    }

    private static void timeZone(Place zone) {
        if (zone.value().isMissingNode()) {
            return;
        }
        if (zone.isBlank()) {
            zone.invalid("\"\"", "timeZone must be nil or non-empty string");
            return;
        }
        String name = zone.value().asText();
        if (name.equalsIgnoreCase("Local")) {
            zone.invalid("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
        }
        if (!name.equals("Local") && !CronSchedule.isZone(name)) {
            zone.invalid("unknown time zone " + name);
        }
    }
}

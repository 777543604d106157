package io.busbar.sandbox.kinds.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.storage.Conditions;
import java.util.List;

/**
 * What the status of a Job may become, whoever writes it: since another controller may care for a Job, its clients can
 * rely on how it ends. What has not changed is not refused.
 *
 * <p>One thread.
 */
final class StatusChecks {

    private static final String CONDITIONS = "conditions";
    private static final String SUSPENDED = "Suspended";

    private final Causes causes;
    private final JsonNode spec;
    private final JsonNode status;
    private final JsonNode was;

    StatusChecks(Causes causes, JsonNode job, JsonNode before) {
        this.causes = causes;
        this.spec = job.path("spec");
        this.status = job.path("status");
        this.was = before.path("status");
    }

    void check() {
        ends();
        completionTime();
        startTime();
        if (isFinished(status)) {
            counts();
        }
        indexes();
        success();
        if ((changed("ready") || changed("active")) && status.has("ready") && number("ready") > number("active")) {
            invalid("ready", "cannot set more ready pods than active");
        }
        update();
    }

    private void ends() {
        boolean complete = changes("Complete");
        if ((complete || changes("Failed")) && is("Complete") && is("Failed")) {
            conditions("cannot set Complete=True and Failed=true conditions");
        }
        if ((complete || changes("FailureTarget")) && is("Complete") && is("FailureTarget")) {
            conditions("cannot set Complete=True and FailureTarget=true conditions");
        }
        if (changes("Failed") && is("Failed") && !is("FailureTarget")) {
            conditions("cannot set Failed=True condition without the FailureTarget=true condition");
        }
        if (complete && is("Complete") && !is("SuccessCriteriaMet")) {
            conditions("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
        }
    }

    private void completionTime() {
        if (changes("Complete") || changed("completionTime")) {
            if (status.has("completionTime") && !is("Complete")) {
                invalid("completionTime", "cannot set completionTime when there is no Complete=True condition");
            }
            if (!status.has("completionTime") && is("Complete")) {
                causes.required("status.completionTime", "completionTime is required for Complete jobs");
            }
        }
        // Times of whole seconds in UTC sort as texts.
        if ((changed("startTime") || changed("completionTime"))
                && status.has("startTime")
                && status.has("completionTime")
                && status.path("completionTime")
                                .asText()
                                .compareTo(status.path("startTime").asText())
                        < 0) {
            invalid("completionTime", "must be equal to or after `startTime`");
        }
        if (status.has("completionTime") && was.has("completionTime") && changed("completionTime")) {
            invalid("completionTime", "field is immutable");
        }
    }

    private void startTime() {
        boolean suspended = spec.path("suspend").asBoolean();
        boolean wantsNone = suspended && spec.path("completions").asInt(1) == 0;
        if ((finishes() || changed("startTime")) && !wantsNone && isFinished(status) && !status.has("startTime")) {
            causes.required("status.startTime", "startTime is required for finished job");
        }
        boolean resumes = Conditions.isTrue(was, SUSPENDED) && !is(SUSPENDED);
        if (was.has("startTime") && changed("startTime") && !suspended && !resumes) {
            JsonNode now = status.has("startTime") ? status.get("startTime") : NullNode.instance;
            causes.invalid("status.startTime", now, "field is immutable for unsuspended job once set");
        }
    }

    private void counts() {
        if ((finishes() || changed("active")) && number("active") > 0) {
            invalid("active", "active>0 is invalid for finished job");
        }
        if ((finishes() || changed("terminating")) && number("terminating") > 0) {
            invalid("terminating", "terminating>0 is invalid for finished job");
        }
        JsonNode uncounted = status.path("uncountedTerminatedPods");
        if ((finishes() || changed("uncountedTerminatedPods"))
                && !(uncounted.path("succeeded").isEmpty()
                        && uncounted.path("failed").isEmpty())) {
            invalid("uncountedTerminatedPods", "must be empty for finished job");
        }
    }

    private void indexes() {
        int completions = spec.path("completions").asInt();
        boolean wanted = spec.has("completions");
        if (changed("completedIndexes")) {
            parse("completedIndexes", wanted, completions);
            if (status.has("completedIndexes")
                    && !spec.path("completionMode").asText().equals("Indexed")) {
                invalid("completedIndexes", "cannot set non-empty completedIndexes when non-indexed completion mode");
            }
        }
        if (changed("failedIndexes")) {
            parse("failedIndexes", wanted && spec.has("backoffLimitPerIndex"), completions);
            if (status.has("failedIndexes") && !spec.has("backoffLimitPerIndex")) {
                invalid("failedIndexes", "cannot set non-null failedIndexes when backoffLimitPerIndex is null");
            }
        }
        if (wanted && (changed("completedIndexes") || changed("failedIndexes"))) {
            overlap(completions);
        }
    }

    private void parse(String field, boolean wanted, int completions) {
        try {
            Indexes.parse(wanted ? status.path(field).asText() : "", completions);
        } catch (IllegalArgumentException e) {
            invalid(field, "error parsing " + field + ": " + e.getMessage());
        }
    }

    private void overlap(int completions) {
        try {
            Indexes completed = Indexes.parse(status.path("completedIndexes").asText(), completions);
            completed
                    .firstIn(Indexes.parse(status.path("failedIndexes").asText(), completions))
                    .ifPresent(index ->
                            invalid("failedIndexes", "failedIndexes and completedIndexes overlap at index: " + index));
        } catch (IllegalArgumentException e) {
            // That is told already.
        }
    }

    private void success() {
        if (is("SuccessCriteriaMet") && is("Failed")) {
            conditions("cannot set SuccessCriteriaMet=True and Failed=true conditions");
        }
        if (is("SuccessCriteriaMet") && is("FailureTarget")) {
            conditions("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
        }
        if (spec.has("successPolicy") && !is("SuccessCriteriaMet") && is("Complete")) {
            conditions("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
        }
    }

    private void update() {
        for (String end : List.of("Failed", "Complete", "FailureTarget")) {
            if (Conditions.isTrue(was, end) && !is(end)) {
                conditions("cannot disable the terminal " + end + "=True condition");
            }
        }
        boolean shrinks = spec.path("completionMode").asText().equals("Indexed")
                && spec.path("completions").equals(spec.path("parallelism"));
        if (number("failed") < was.path("failed").asLong()) {
            causes.add(FieldCause.invalid(
                    "status.failed", Long.toString(number("failed")), "cannot decrease the failed counter"));
        }
        if (!shrinks && number("succeeded") < was.path("succeeded").asLong()) {
            causes.add(FieldCause.invalid(
                    "status.succeeded", Long.toString(number("succeeded")), "cannot decrease the succeeded counter"));
        }
        boolean met = Conditions.isTrue(was, "SuccessCriteriaMet");
        if (met && !is("SuccessCriteriaMet")) {
            conditions("cannot disable the SuccessCriteriaMet=True condition");
        }
        if (Conditions.isTrue(was, "Complete") && !met && is("SuccessCriteriaMet")) {
            conditions("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
        }
    }

    private boolean is(String condition) {
        return Conditions.isTrue(status, condition);
    }

    private boolean changes(String condition) {
        return is(condition) != Conditions.isTrue(was, condition);
    }

    private boolean finishes() {
        return isFinished(status) != isFinished(was);
    }

    private static boolean isFinished(JsonNode status) {
        return Conditions.isTrue(status, "Complete") || Conditions.isTrue(status, "Failed");
    }

    private boolean changed(String field) {
        return !status.path(field).equals(was.path(field));
    }

    private long number(String field) {
        return status.path(field).asLong();
    }

    private void invalid(String field, String why) {
        causes.invalid("status." + field, status.path(field), why);
    }

    private void conditions(String why) {
        causes.add(new FieldCause("FieldValueInvalid", "status." + CONDITIONS, "Invalid value: " + why));
    }
}

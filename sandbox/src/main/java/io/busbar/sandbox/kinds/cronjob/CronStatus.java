package io.busbar.sandbox.kinds.cronjob;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.storage.Conditions;
import io.busbar.sandbox.storage.Metadata;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a CronJob tells of its Jobs. Immutable. */
record CronStatus(List<ObjectNode> jobs) {

    static boolean isOver(ObjectNode job) {
        return is(job, "Complete") || is(job, "Failed");
    }

    static boolean is(ObjectNode job, String condition) {
        return Conditions.isTrue(job.path("status"), condition);
    }

    /** The uids of the Jobs that a CronJob's status names. */
    static Set<String> active(ObjectNode cronJob) {
        Set<String> uids = new HashSet<>();
        cronJob.path("status")
                .path("active")
                .forEach(job -> uids.add(job.path("uid").asText()));
        return uids;
    }

    void fill(ObjectNode status) {
        ArrayNode active = status.arrayNode();
        for (ObjectNode job : jobs) {
            if (!isOver(job)) {
                Metadata metadata = Metadata.of(job);
                active.addObject()
                        .put("kind", Kind.JOB.name())
                        .put("apiVersion", Kind.JOB.apiVersion())
                        .put("namespace", metadata.namespace())
                        .put("name", metadata.name())
                        .put("uid", metadata.uid());
            }
        }
        if (active.isEmpty()) {
            status.remove("active");
        } else {
            status.set("active", active);
        }
        lastSuccess(status.path("lastSuccessfulTime").asText())
                .ifPresent(time -> status.put("lastSuccessfulTime", time));
    }

    /** Times of one form are ordered like their texts. */
    private Optional<String> lastSuccess(String before) {
        return jobs.stream()
                .filter(job -> is(job, "Complete"))
                .map(job -> job.path("status").path("completionTime").asText())
                .filter(time -> time.compareTo(before) > 0)
                .max(String::compareTo);
    }
}

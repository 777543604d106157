package io.busbar.sandbox.core;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Defaults of what makes Pods, in place. Any thread. */
final class WorkloadDefaults {

    private WorkloadDefaults() {}

    static void replicas(ObjectNode spec) {
        Fields.number(spec, "replicas", 1);
        PodDefaults.template(Fields.in(spec, "template"));
    }

    static void deployment(ObjectNode spec) {
        replicas(spec);
        ObjectNode strategy = Fields.in(spec, "strategy");
        Fields.text(strategy, "type", "RollingUpdate");
        if (strategy.path("type").asText().equals("RollingUpdate")) {
            ObjectNode rolling = Fields.in(strategy, "rollingUpdate");
            Fields.text(rolling, "maxUnavailable", "25%");
            Fields.text(rolling, "maxSurge", "25%");
        }
        Fields.number(spec, "revisionHistoryLimit", 10);
        Fields.number(spec, "progressDeadlineSeconds", 600);
    }

    static void statefulSet(ObjectNode spec) {
        replicas(spec);
        Fields.text(spec, "podManagementPolicy", "OrderedReady");
        ObjectNode strategy = Fields.in(spec, "updateStrategy");
        Fields.text(strategy, "type", "RollingUpdate");
        if (strategy.path("type").asText().equals("RollingUpdate")) {
            Fields.number(Fields.in(strategy, "rollingUpdate"), "partition", 0);
        }
        Fields.number(spec, "revisionHistoryLimit", 10);
        Fields.each(spec.path("volumeClaimTemplates"), claim -> {
            Fields.text(claim, "kind", "PersistentVolumeClaim");
            Fields.text(claim, "apiVersion", "v1");
            VolumeDefaults.claim(Fields.in(claim, "spec"));
            Fields.text(Fields.in(claim, "status"), "phase", "Pending");
        });
    }

    static void daemonSet(ObjectNode spec) {
        PodDefaults.template(Fields.in(spec, "template"));
        ObjectNode strategy = Fields.in(spec, "updateStrategy");
        Fields.text(strategy, "type", "RollingUpdate");
        if (strategy.path("type").asText().equals("RollingUpdate")) {
            Fields.number(Fields.in(strategy, "rollingUpdate"), "maxUnavailable", 1);
        }
        Fields.number(spec, "revisionHistoryLimit", 10);
    }

    /** @param counted whether parallelism and the like are filled in, as they are not in a CronJob's template */
    static void job(ObjectNode spec, boolean counted) {
        if (counted) {
            if (!spec.has("completions") && !spec.has("parallelism")) {
                spec.put("completions", 1);
            }
            Fields.number(spec, "parallelism", 1);
            Fields.number(spec, "backoffLimit", 6);
        }
        PodDefaults.template(Fields.in(spec, "template"));
    }

    static void cronJob(ObjectNode spec) {
        Fields.text(spec, "concurrencyPolicy", "Allow");
        Fields.flag(spec, "suspend", false);
        Fields.number(spec, "successfulJobsHistoryLimit", 3);
        Fields.number(spec, "failedJobsHistoryLimit", 1);
        ObjectNode template = Fields.in(spec, "jobTemplate");
        Fields.in(template, "metadata");
        job(Fields.in(template, "spec"), false);
    }
}

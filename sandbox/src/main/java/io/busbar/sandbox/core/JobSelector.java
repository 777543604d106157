package io.busbar.sandbox.core;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The labels by which a Job finds its Pods, made of its uid unless the user has chosen some. Any thread. */
public final class JobSelector {

    private static final String PREFIX = "batch.kubernetes.io/";

    private JobSelector() {}

    /** @param job with a uid; changed in place */
    public static void generate(ObjectNode job) {
        ObjectNode spec = Fields.in(job, "spec");
        if (spec.path("manualSelector").asBoolean()) {
            return;
        }
        String uid = job.path("metadata").path("uid").asText();
        String name = job.path("metadata").path("name").asText();
        ObjectNode metadata = Fields.in(Fields.in(spec, "template"), "metadata");
        ObjectNode labels = Fields.in(metadata, "labels");
        for (String prefix : new String[] {"", PREFIX}) {
            labels.put(prefix + "controller-uid", uid).put(prefix + "job-name", name);
        }
        Fields.in(Fields.in(spec, "selector"), "matchLabels").put(PREFIX + "controller-uid", uid);
        if (job.path("metadata").path("labels").isEmpty()) {
            Fields.in(job, "metadata").set("labels", labels.deepCopy());
        }
    }
}

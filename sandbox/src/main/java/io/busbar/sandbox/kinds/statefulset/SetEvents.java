package io.busbar.sandbox.kinds.statefulset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.EventRecorder;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.AsyncResult;

/**
 * What a StatefulSet's Events say.
 *
 * <p>One context. The words are those of {@code stateful_pod_control.go} of kube-controller-manager.
 */
record SetEvents(EventRecorder events) {

    /** @param verb what was done to the Pod: {@code create} or {@code delete} */
    void done(String verb, ObjectNode set, String pod, AsyncResult<?> done) {
        String what =
                verb + " Pod " + pod + " in StatefulSet " + Metadata.of(set).name();
        record(verb, set, what, " successful", done);
    }

    void claimed(ObjectNode set, ObjectNode claim, Identity identity, AsyncResult<?> made) {
        String what = "Create Claim " + Metadata.of(claim).name() + " Pod " + identity.podName() + " in StatefulSet "
                + Metadata.of(set).name();
        record("Create", set, what, " success", made);
    }

    /** A Pod that ended makes room for another one of its name. */
    void recreating(ObjectNode set, ObjectNode pod) {
        boolean failed = Pods.phase(pod).equals("Failed");
        Metadata metadata = Metadata.of(set);
        String message = "StatefulSet " + metadata.namespace() + "/" + metadata.name() + " is recreating "
                + (failed ? "failed" : "terminated") + " Pod "
                + Metadata.of(pod).name();
        if (failed) {
            events.warning(Kind.STATEFUL_SET, set, "RecreatingFailedPod", message);
        } else {
            events.normal(Kind.STATEFUL_SET, set, "RecreatingTerminatedPod", message);
        }
    }

    private void record(String verb, ObjectNode set, String what, String success, AsyncResult<?> done) {
        if (done.succeeded()) {
            events.normal(Kind.STATEFUL_SET, set, "Successful" + verb, what + success);
        } else {
            String why = " failed error: " + done.cause().getMessage();
            events.warning(Kind.STATEFUL_SET, set, "Failed" + verb, what + why);
        }
    }
}

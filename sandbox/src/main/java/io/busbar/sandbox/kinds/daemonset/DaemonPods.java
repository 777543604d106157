package io.busbar.sandbox.kinds.daemonset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.controller.Templates;
import java.util.List;

/** The Pods of a DaemonSet: each is bound to its node by an affinity, which the scheduler follows. Any thread. */
final class DaemonPods {

    static final String REVISION = "controller-revision-hash";

    private static final String PREFIX = "node.kubernetes.io/";

    private DaemonPods() {}

    static ObjectNode pod(ObjectNode set, String node, String revision) {
        ObjectNode pod = Templates.pod(set, Kind.DAEMON_SET);
        pod.withObject("/metadata").withObject("/labels").put(REVISION, revision);
        ObjectNode spec = pod.withObject("/spec");
        tolerate(spec);
        ObjectNode required = spec.withObject("/affinity")
                .withObject("/nodeAffinity")
                .withObject("/requiredDuringSchedulingIgnoredDuringExecution");
        ArrayNode fields = pod.arrayNode();
        fields.addObject()
                .put("key", "metadata.name")
                .put("operator", "In")
                .putArray("values")
                .add(node);
        JsonNode terms = required.path("nodeSelectorTerms");
        if (terms.isEmpty()) {
            required.putArray("nodeSelectorTerms").addObject().set("matchFields", fields);
        } else {
            terms.forEach(term -> ((ObjectNode) term).set("matchFields", fields));
        }
        return pod;
    }

    /** The node that a Pod is on, or meant for; empty for none. */
    static String node(ObjectNode pod) {
        return Pods.node(pod).isEmpty()
                ? pod.path("spec")
                        .at(
                                "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchFields/0/values/0")
                        .asText()
                : Pods.node(pod);
    }

    /** Adds what keeps a daemon on a node that is in trouble. */
    static void tolerate(ObjectNode spec) {
        for (String trouble : List.of("not-ready", "unreachable")) {
            tolerate(spec, trouble, "NoExecute");
        }
        for (String trouble : List.of("disk-pressure", "memory-pressure", "pid-pressure", "unschedulable")) {
            tolerate(spec, trouble, "NoSchedule");
        }
        if (spec.path("hostNetwork").asBoolean()) {
            tolerate(spec, "network-unavailable", "NoSchedule");
        }
    }

    private static void tolerate(ObjectNode spec, String trouble, String effect) {
        for (JsonNode toleration : spec.path("tolerations")) {
            if (toleration.path("key").asText().equals(PREFIX + trouble)
                    && toleration.path("effect").asText().equals(effect)) {
                return;
            }
        }
        spec.withArrayProperty("tolerations")
                .addObject()
                .put("key", PREFIX + trouble)
                .put("operator", "Exists")
                .put("effect", effect);
    }
}

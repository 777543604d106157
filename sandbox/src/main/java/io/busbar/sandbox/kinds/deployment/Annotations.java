package io.busbar.sandbox.kinds.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/** What a Deployment keeps in annotations of its own and of its ReplicaSets. Any thread. */
final class Annotations {

    static final String REVISION = "deployment.kubernetes.io/revision";
    static final String HISTORY = "deployment.kubernetes.io/revision-history";
    static final String DESIRED = "deployment.kubernetes.io/desired-replicas";
    static final String MOST = "deployment.kubernetes.io/max-replicas";

    /** Not copied from a Deployment to its ReplicaSets. */
    private static final Set<String> OWN = Set.of(
            "kubectl.kubernetes.io/last-applied-configuration",
            REVISION,
            HISTORY,
            DESIRED,
            MOST,
            "deprecated.deployment.rollback.to");

    private Annotations() {}

    static String text(ObjectNode object, String name) {
        return object.path("metadata").path("annotations").path(name).asText();
    }

    /** -1 for none. */
    static int number(ObjectNode object, String name) {
        String text = text(object, name);
        return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
    }

    static int lastRevision(Collection<ObjectNode> sets) {
        return sets.stream().mapToInt(set -> number(set, REVISION)).max().orElse(0);
    }

    static void put(ObjectNode object, String name, String value) {
        object.withObject("/metadata").withObject("/annotations").put(name, value);
    }

    /** Copies the Deployment's annotations, and numbers the set; the number that it had goes into its history. */
    static void copy(ObjectNode deployment, ObjectNode set, int revision) {
        for (Map.Entry<String, JsonNode> annotation :
                deployment.path("metadata").path("annotations").properties()) {
            if (!OWN.contains(annotation.getKey())) {
                put(set, annotation.getKey(), annotation.getValue().asText());
            }
        }
        int before = number(set, REVISION);
        if (before >= revision) {
            return;
        }
        put(set, REVISION, Integer.toString(revision));
        if (before > 0) {
            String history = text(set, HISTORY);
            put(set, HISTORY, history.isEmpty() ? Integer.toString(before) : history + "," + before);
        }
    }

    static void sized(ObjectNode set, Strategy strategy) {
        put(set, DESIRED, Integer.toString(strategy.replicas()));
        put(set, MOST, Integer.toString(strategy.most()));
    }
}

package io.busbar.sandbox.kinds.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.storage.Metadata;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * The ReplicaSets of a Deployment: the one of its template, and those of templates that it had.
 *
 * <p>Immutable.
 *
 * @param all the oldest first
 */
record Family(Optional<ObjectNode> current, List<ObjectNode> all) {

    static final String HASH = "pod-template-hash";

    static Family of(ObjectNode deployment, Collection<ObjectNode> sets) {
        List<ObjectNode> all = sets.stream().sorted(Pods.byAge()).toList();
        JsonNode template = deployment.path("spec").path("template");
        return new Family(
                all.stream()
                        .filter(set ->
                                unhashed(set.path("spec").path("template")).equals(unhashed(template)))
                        .findFirst(),
                all);
    }

    List<ObjectNode> old() {
        return all.stream().filter(set -> current.filter(uid(set)).isEmpty()).toList();
    }

    List<ObjectNode> active() {
        return all.stream().filter(set -> replicas(set) > 0).toList();
    }

    List<ObjectNode> activeOld() {
        return old().stream().filter(set -> replicas(set) > 0).toList();
    }

    int wanted() {
        return sum(Family::replicas);
    }

    int sum(ToIntFunction<ObjectNode> count) {
        return all.stream().mapToInt(count).sum();
    }

    static int replicas(ObjectNode set) {
        return set.path("spec").path("replicas").asInt();
    }

    static int available(ObjectNode set) {
        return set.path("status").path("availableReplicas").asInt();
    }

    private static Predicate<ObjectNode> uid(ObjectNode set) {
        return other -> Metadata.of(other).uid().equals(Metadata.of(set).uid());
    }

    /** Templates are compared without the label that a ReplicaSet adds. */
    private static JsonNode unhashed(JsonNode template) {
        JsonNode copy = template.deepCopy();
        if (copy.path("metadata").path("labels") instanceof ObjectNode labels) {
            labels.remove(HASH);
        }
        return copy;
    }
}

package io.busbar.operator.sidecarset.roll;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.sidecarset.pod.JsonPatch;
import io.busbar.operator.sidecarset.pod.PodAnnotations;
import io.busbar.operator.sidecarset.pod.SetEntries;
import io.busbar.operator.sidecarset.pod.SetVersion;
import io.busbar.operator.sidecarset.pod.UpdateState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A Pod's condition that says whether its sets can be updated in place: its message holds each set's answer.
 *
 * <p>Pure functions, any thread. A Pod is told {@code false} when it is due and cannot be, {@code true} once it was;
 * one that only waits for its turn is told nothing. Source: OpenKruise.
 */
final class UpgradableCondition {

    static final String TYPE = "SidecarSetUpgradable";

    private static final ConditionReason ALL = ConditionReason.ofTrue(
            TYPE,
            "AllSidecarsetUpgradable",
            "each set that asked to update this Pod in place could; the message names them");
    private static final ConditionReason SOME_NOT = ConditionReason.ofFalse(
            TYPE,
            "UpdateImmutableField",
            "a set asks for more than new images, which this Pod cannot get in place; the message says which");

    private UpgradableCondition() {}

    /** The patch of the Pod's status that makes the condition right; empty if it is. */
    static Optional<JsonPatch> correction(InjectedPod injected, Target target, Instant now) {
        Pod pod = injected.pod();
        SetEntries answers = answers(pod);
        Optional<Boolean> said = answers.entry(target.name()).map(JsonNode::asBoolean);
        Optional<Boolean> wanted = wanted(injected, target, said);
        if (wanted.isEmpty() || wanted.equals(said)) {
            return Optional.empty();
        }
        SetEntries corrected = answers.with(target.name(), BooleanNode.valueOf(wanted.get()));
        return Optional.of(patch(pod, condition(corrected, now)));
    }

    private static Optional<Boolean> wanted(InjectedPod injected, Target target, Optional<Boolean> said) {
        if (!injected.updated()) {
            boolean stuck = !injected.upgradable() && target.rollsOutTo(injected.pod());
            return stuck ? Optional.of(false) : Optional.empty();
        }
        String rolledOut = UpdateState.revision(
                InjectedPod.annotation(injected.pod(), PodAnnotations.UPDATE_STATE), target.name());
        boolean rolledOutHere = rolledOut.equals(target.version().hash());
        return rolledOutHere || said.isPresent() ? Optional.of(true) : Optional.empty();
    }

    private static SetEntries answers(Pod pod) {
        return InjectedPod.condition(pod, TYPE)
                .map(PodCondition::getMessage)
                .map(SetEntries::parseOrNone)
                .orElse(SetEntries.parseOrNone(null));
    }

    private static ObjectNode condition(SetEntries answers, Instant now) {
        ConditionReason reason = answers.entries().values().stream().allMatch(JsonNode::asBoolean) ? ALL : SOME_NOT;
        return JsonNodeFactory.instance
                .objectNode()
                .put("type", reason.type())
                .put("status", reason.status().text())
                .put("lastTransitionTime", SetVersion.seconds(now))
                .put("reason", reason.reason())
                .put("message", answers.toString());
    }

    private static JsonPatch patch(Pod pod, ObjectNode condition) {
        JsonPatch patch = UpgradePatch.forThis(pod);
        List<PodCondition> present = pod.getStatus().getConditions();
        for (int i = 0; i < present.size(); i++) {
            if (TYPE.equals(present.get(i).getType())) {
                return patch.replace("/status/conditions/" + i, condition);
            }
        }
        return present.isEmpty()
                ? patch.add(
                        "/status/conditions",
                        JsonNodeFactory.instance.arrayNode().add(condition))
                : patch.add("/status/conditions/-", condition);
    }
}

package io.busbar.blueprint.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.render.ConditionRendering;
import io.busbar.blueprint.render.ConditionRendering.Stated;
import io.busbar.blueprint.render.Rendering;
import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.blueprint.source.Problems;
import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * The status of an instance: what it says, and what it is to say. What nobody has looked at stays as it is.
 *
 * <p>For the thread of one reconcile.
 */
final class InstanceStatus<P extends GenericKubernetesResource> {

    private static final String TYPE = "Ready";
    static final ConditionReason READY =
            ConditionReason.ofTrue(TYPE, "Ready", "all resources are there and ready, or left out");
    static final ConditionReason WAITING =
            ConditionReason.ofFalse(TYPE, "Waiting", "a resource waits, or is not ready; the message says for what");
    static final ConditionReason FAILED = ConditionReason.ofFalse(
            TYPE,
            "Failed",
            "an expression has failed; the message has its place in the Blueprint and the values that it has read. It"
                    + " waits for a change");
    static final ConditionReason REFUSED = ConditionReason.ofFalse(
            TYPE,
            "Refused",
            "the API server refuses a write, such as for want of a right; it is tried again with a growing pause");
    static final ConditionReason NOT_OWNED =
            ConditionReason.ofFalse(TYPE, "NotOwned", "an object of that name is somebody else's, and left alone");
    static final ConditionReason OTHER_TOOL = ConditionReason.ofFalse(
            TYPE,
            "OtherTool",
            "another tool keeps the instance as its ApplySet, as its annotation applyset.kubernetes.io/tooling says;"
                    + " nothing is changed");
    static final ConditionReason PLAN_FAILED = ConditionReason.ofFalse(
            TYPE,
            "PlanFailed",
            "a plan that begins by itself has failed, or was cancelled; no other one begins before its run goes on, by a"
                    + " larger spec.attempt, or is deleted, or the instance's spec changes");
    static final ConditionReason HELD = ConditionReason.ofFalse(
            TYPE,
            "Held",
            "the rollout of the Blueprint has not come to it, and the revision that it has is not kept any more");
    static final ConditionReason INVALID =
            ConditionReason.ofFalse(TYPE, "Invalid", "the instance does not fit its schema");
    static final ConditionReason UNSERVED = ConditionReason.ofFalse(
            TYPE, "Unserved", "its Blueprint does not run, and so nothing is done; the message says why that is");

    private static final String PLANS = "plans";
    private static final String REVISION = "blueprintRevision";

    private final CheckedBlueprint blueprint;
    private final P instance;
    private final JsonNode told;
    private final KubernetesSerialization serialization;
    private final InstantSource clock;

    /**
     * @param blueprint the newest
     * @param told the status of the instance, as JSON
     */
    InstanceStatus(
            CheckedBlueprint blueprint,
            P instance,
            JsonNode told,
            KubernetesSerialization serialization,
            InstantSource clock) {
        this.blueprint = blueprint;
        this.instance = instance;
        this.told = told;
        this.serialization = serialization;
        this.clock = clock;
    }

    /** The name of the revision that an instance has; empty for none. */
    static String revisionOf(GenericKubernetesResource instance) {
        return instance.get("status", REVISION) instanceof String name ? name : "";
    }

    /** Whether an instance says that it is ready: the operator's own condition is the first. */
    static boolean isReady(GenericKubernetesResource instance) {
        return instance.get("status", "conditions", 0, "status") instanceof String status && status.equals("True");
    }

    /** Those that a status has. */
    static List<Condition> conditions(JsonNode status, KubernetesSerialization serialization) {
        return StreamSupport.stream(status.path("conditions").spliterator(), false)
                .map(condition -> serialization.convertValue(condition, Condition.class))
                .toList();
    }

    /** Whether it was told before there was a controller: what it says is over, also where its type is not ours now. */
    private static boolean isUnserved(Condition condition) {
        return condition.getType().equals(UNSERVED.type()) && UNSERVED.reason().equals(condition.getReason());
    }

    /** What it keeps of plans; empty for nothing. */
    Optional<PlanMemory> plans() {
        JsonNode kept = told.path(PLANS);
        return kept.isObject() && blueprint.keepsPlans()
                ? Optional.of(serialization.convertValue(kept, PlanMemory.class))
                : Optional.empty();
    }

    /**
     * The instance with this told, and without the spec, which nobody writes.
     *
     * @param rendering empty where what the status says of resources stays as it is, and the Blueprint's own conditions
     *     do; where one of these fails, the instance has failed
     * @param revision that it has now; empty for none
     */
    P with(
            Optional<Rendering> rendering,
            ConditionReason reason,
            String message,
            String revision,
            Optional<PlanMemory> plans) {
        Problems problems = new Problems();
        Optional<ConditionRendering.Outcome> stated =
                rendering.map(known -> known.conditions().of(own(reason, message), problems));
        ConditionReason now = problems.isEmpty() ? reason : FAILED;
        String first = reason.equals(FAILED) ? message + "; " : "";
        String why = problems.isEmpty() ? message : first + problems.text();
        ObjectNode status = rendering
                .map(known -> known.status().deepCopy())
                .orElseGet(
                        () -> told instanceof ObjectNode old ? old.deepCopy() : JsonNodeFactory.instance.objectNode());
        status.put("observedGeneration", generation());
        status.set("conditions", serialization.convertValue(conditions(stated, now, why), JsonNode.class));
        if (!revision.isEmpty()) {
            status.put(REVISION, revision);
        }
        if (!blueprint.blueprint().schema().hasOwnState()) {
            status.put(InstanceSchema.STATE, state(now));
        }
        plans.ifPresentOrElse(memory -> status.set(PLANS, serialization.convertValue(memory, JsonNode.class)), () -> {
            if (blueprint.keepsPlans()) {
                status.remove(PLANS);
            }
        });
        return withStatus(status);
    }

    private long generation() {
        Long generation = instance.getMetadata().getGeneration();
        return generation == null ? 0 : generation;
    }

    /** As kro calls its conditions: of these there is one here. */
    private static List<Stated> own(ConditionReason reason, String message) {
        String status = reason.status().text();
        String resolved = reason.equals(FAILED) ? "False" : "True";
        return List.of(
                new Stated(TYPE, status, reason.reason(), message),
                new Stated("ResourcesReady", status, reason.reason(), message),
                new Stated("GraphResolved", resolved, reason.reason(), message),
                new Stated("InstanceManaged", "True", reason.reason(), message));
    }

    /**
     * The operator's own first.
     *
     * @param stated the Blueprint's own; empty where these stay as they are
     */
    private List<Condition> conditions(
            Optional<ConditionRendering.Outcome> stated, ConditionReason reason, String message) {
        List<Condition> before = conditions(told, serialization);
        String own = blueprint.ownCondition();
        Conditions now = Conditions.of(before, generation(), clock.instant())
                .with(own, reason.status().text(), reason.reason(), message);
        List<Condition> all = new ArrayList<>(now.find(own).stream().toList());
        Set<String> theirs = new HashSet<>();
        for (Stated each : stated.map(ConditionRendering.Outcome::stated).orElse(List.of())) {
            // Kubernetes 1.20 takes an empty text for null, and refuses that.
            String why = each.reason().isEmpty() ? each.type() : each.reason();
            now = now.with(each.type(), each.status(), why, each.message().isEmpty() ? why : each.message());
            theirs.add(each.type());
        }
        boolean othersStay = stated.map(outcome -> !outcome.complete())
                .orElse(!blueprint.conditions().isEmpty());
        now.list().stream()
                .filter(one -> !one.getType().equals(own))
                .filter(one -> theirs.contains(one.getType()) || (othersStay && !isUnserved(one)))
                .forEach(all::add);
        return all;
    }

    /** In the words of kro. */
    private String state(ConditionReason reason) {
        if (instance.getMetadata().getDeletionTimestamp() != null) {
            return "DELETING";
        }
        return reason.equals(READY)
                ? "ACTIVE"
                : reason.equals(WAITING) || reason.equals(HELD) ? "IN_PROGRESS" : "ERROR";
    }

    private P withStatus(ObjectNode status) {
        ObjectNode copied = JsonNodeFactory.instance.objectNode();
        copied.put("apiVersion", instance.getApiVersion()).put("kind", instance.getKind());
        copied.set("status", status);
        @SuppressWarnings("unchecked") // an object's class is a class of its type
        Class<P> type = (Class<P>) instance.getClass();
        P copy = serialization.convertValue(copied, type);
        copy.setMetadata(instance.getMetadata());
        return copy;
    }
}

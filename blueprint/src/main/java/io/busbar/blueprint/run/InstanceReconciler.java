package io.busbar.blueprint.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.Plan;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.check.CheckedResource;
import io.busbar.blueprint.render.Renderer;
import io.busbar.blueprint.render.Rendering;
import io.busbar.blueprint.render.Rendering.Fate;
import io.busbar.blueprint.render.Rendering.PlanCall;
import io.busbar.blueprint.render.Rendering.PlanQuestion;
import io.busbar.blueprint.render.Rendering.Step;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.common.MetadataKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.ObjectNotOwnedException;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Makes of an instance what its Blueprint says: applies the objects whose expressions are known, takes away those that
 * are there no more, and writes the status.
 *
 * <p>An expression that fails is told in the condition {@code Ready} and waits for a change: there is no retry, as
 * nothing else can help. What the API server refuses is told there, too, and tried again with a growing pause.
 */
final class InstanceReconciler<P extends GenericKubernetesResource> implements Reconciler<P> {

    static final MetadataKey FINALIZER = MetadataKey.finalizer(
            "blueprints.busbar.io/delete-plan",
            "an instance of a Blueprint with a plan 'delete'",
            "carries that plan out before the instance goes");

    static final MetadataKey RESOURCE = MetadataKey.label(
            "blueprints.busbar.io/resource",
            "an object of a Blueprint's instance",
            "the id of the resource that it is of; without it the object is not taken away");

    private static final String TYPE = "Ready";
    private static final ConditionReason READY =
            ConditionReason.ofTrue(TYPE, "Ready", "all resources are there and ready, or left out");
    private static final ConditionReason WAITING =
            ConditionReason.ofFalse(TYPE, "Waiting", "a resource waits, or is not ready; the message says for what");
    private static final ConditionReason FAILED = ConditionReason.ofFalse(
            TYPE,
            "Failed",
            "an expression has failed; the message has its place in the Blueprint and the values that it has read. It"
                    + " waits for a change");
    private static final ConditionReason REFUSED = ConditionReason.ofFalse(
            TYPE,
            "Refused",
            "the API server refuses a write, such as for want of a right; it is tried again with a growing pause");
    private static final ConditionReason NOT_OWNED =
            ConditionReason.ofFalse(TYPE, "NotOwned", "an object of that name is somebody else's, and left alone");
    private static final ConditionReason PLAN_FAILED = ConditionReason.ofFalse(
            TYPE,
            "PlanFailed",
            "a plan that begins by itself has failed, or was cancelled; no other one begins before its run goes on, by a"
                    + " larger spec.attempt, or is deleted, or the instance's spec changes");
    private static final ConditionReason INVALID =
            ConditionReason.ofFalse(TYPE, "Invalid", "the instance does not fit its schema");
    private static final int LONGEST_MESSAGE = 2_000;
    private static final String PLANS = "plans";
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

    private final CheckedBlueprint blueprint;
    private final Renderer renderer;
    /** By the ids of resources that are made. */
    private final Map<String, Class<? extends GenericKubernetesResource>> owned;
    /** By apiVersion and kind, of what is external. */
    private final Map<String, Class<? extends GenericKubernetesResource>> read;

    private final Reads reads;
    private final KubernetesSerialization serialization;
    private final InstantSource clock;

    InstanceReconciler(
            CheckedBlueprint blueprint,
            Map<String, Class<? extends GenericKubernetesResource>> owned,
            Map<String, Class<? extends GenericKubernetesResource>> read,
            Reads reads,
            KubernetesSerialization serialization,
            InstantSource clock) {
        this.blueprint = blueprint;
        this.renderer = new Renderer(blueprint);
        this.owned = Map.copyOf(owned);
        this.read = Map.copyOf(read);
        this.reads = reads;
        this.serialization = serialization;
        this.clock = clock;
    }

    @Override
    public ReconcileResult reconcile(P primary, ReconcileContext<P> context) {
        ObjectNode instance = (ObjectNode) json(primary);
        boolean fits = renderer.complete(instance);
        OwnPlans plans = plans(primary, instance, context);
        if (!fits) {
            String wrong = renderer.check(SourceNode.of(json(primary))).text();
            tell(primary, context, Optional.empty(), plans, INVALID, wrong);
            return ReconcileResult.awaitChange();
        }
        Problems problems = new Problems();
        PlanQuestion question = plans.question();
        List<GenericKubernetesResource> ours = ours(context);
        ClusterObjects live = new ClusterObjects(context, ours, read, reads, this::json);
        Rendering rendering = renderer.render(instance, live, question, problems);
        reads.keep(context.key(), live.references());
        Map<String, String> makers = new HashMap<>();
        for (Step step : rendering.steps()) {
            for (ObjectNode object : step.objects()) {
                String maker = makers.putIfAbsent(ClusterObjects.identity(object), step.id());
                if (maker == null) {
                    apply(step.id(), object, primary, context, problems);
                } else {
                    problems.add(
                            resource(step.id()).resource().body().place(),
                            "'" + step.id() + "' and '" + maker + "' make the same object, "
                                    + ClusterObjects.identity(object));
                }
            }
        }
        prune(rendering, ours, context);
        if (!problems.isEmpty()) {
            tell(primary, context, Optional.of(rendering), plans, FAILED, problems.text());
            return ReconcileResult.awaitChange();
        }
        plans.decide(question, rendering.calls());
        tell(primary, context, rendering, plans);
        if (plans.hasNext()) {
            plans.begin();
            tell(primary, context, rendering, plans);
        }
        return ReconcileResult.awaitChange();
    }

    private OwnPlans plans(P primary, JsonNode whole, ReconcileContext<P> context) {
        JsonNode kept = whole.at("/status/" + PLANS);
        Optional<PlanMemory> memory = kept.isObject() && blueprint.keepsPlans()
                ? Optional.of(serialization.convertValue(kept, PlanMemory.class))
                : Optional.empty();
        return new OwnPlans(blueprint, primary, whole, memory, context);
    }

    private void tell(P primary, ReconcileContext<P> context, Rendering rendering, OwnPlans plans) {
        Optional<Step> unready = rendering.steps().stream()
                .filter(step -> step.fate() == Fate.WAITING || (step.fate() != Fate.LEFT_OUT && !step.ready()))
                .findFirst();
        if (unready.isPresent()) {
            String why = unready.get().id() + ": " + unready.get().why();
            tell(primary, context, Optional.of(rendering), plans, WAITING, why);
            return;
        }
        Optional<BlueprintRun> run = plans.unfinished();
        Optional<String> next = plans.next().map(plan -> "the plan '" + plan + "' is about to begin");
        tell(
                primary,
                context,
                Optional.of(rendering),
                plans,
                run.map(InstanceReconciler::reasonOf).orElse(next.isPresent() ? WAITING : READY),
                run.map(InstanceReconciler::wordsOf).or(() -> next).orElse("all resources are ready"));
    }

    private static ConditionReason reasonOf(BlueprintRun run) {
        return OwnPlans.hasFailed(run) ? PLAN_FAILED : WAITING;
    }

    private static String wordsOf(BlueprintRun run) {
        return "the run '" + run.getMetadata().getName() + "' of the plan '"
                + run.getSpec().plan() + "' "
                + (OwnPlans.hasFailed(run) ? "has not succeeded; its status says why" : "is under way");
    }

    /** Carries out the plan before an instance goes. */
    @Override
    public CleanupResult cleanup(P primary, ReconcileContext<P> context) {
        ObjectNode instance = (ObjectNode) json(primary);
        OwnPlans plans = plans(primary, instance, context);
        Problems problems = new Problems();
        Optional<PlanCall> call = callBeforeDeletion(instance, context, problems);
        if (call.isEmpty()) {
            tell(primary, context, Optional.empty(), plans, FAILED, problems.text());
            return CleanupResult.notYet(LOOK_AGAIN);
        }
        OwnPlans.Leave leave = plans.leave(call.get());
        if (leave == OwnPlans.Leave.DONE) {
            return CleanupResult.done();
        }
        ConditionReason reason =
                plans.leaving().map(InstanceReconciler::reasonOf).orElse(WAITING);
        String words = plans.leaving().map(InstanceReconciler::wordsOf).orElse("a run that is under way ends first");
        tell(primary, context, Optional.empty(), plans, reason, words);
        return CleanupResult.notYet(leave == OwnPlans.Leave.TO_TELL ? Duration.ZERO : LOOK_AGAIN);
    }

    /** Empty where the problems say what is wrong with its parameters. */
    private Optional<PlanCall> callBeforeDeletion(ObjectNode instance, ReconcileContext<P> context, Problems problems) {
        renderer.complete(instance);
        ClusterObjects live = new ClusterObjects(context, ours(context), read, new Reads(), this::json);
        PlanQuestion question = new PlanQuestion(Set.of(Plan.DELETE), instance.path("spec"));
        return renderer.render(instance, live, question, problems).calls().stream()
                .findFirst();
    }

    @Override
    public Optional<P> failed(P primary, Throwable failure, ReconcileContext<P> context) {
        ConditionReason reason = failure instanceof ObjectNotOwnedException ? NOT_OWNED : REFUSED;
        OwnPlans plans = plans(primary, json(primary), context);
        return Optional.of(withStatus(primary, Optional.empty(), plans, reason, ApiFailure.reason(failure)));
    }

    private List<GenericKubernetesResource> ours(ReconcileContext<P> context) {
        List<GenericKubernetesResource> all = new ArrayList<>();
        Set.copyOf(owned.values()).forEach(type -> all.addAll(context.owned(type)));
        return all;
    }

    private JsonNode json(Object object) {
        return serialization.convertValue(object, JsonNode.class);
    }

    private void apply(String id, ObjectNode object, P primary, ReconcileContext<P> context, Problems problems) {
        String own = primary.getMetadata().getNamespace();
        String its = object.path("metadata").path("namespace").asText();
        if (own != null && !its.equals(own)) {
            CheckedResource resource = resource(id);
            problems.add(
                    resource.resource().body().place(),
                    "'" + id + "' is " + (its.isEmpty() ? "in no namespace" : "in the namespace '" + its + "'")
                            + ", and the instance in '" + own + "': it can own objects of its own namespace alone");
            return;
        }
        object.withObjectProperty("metadata").withObjectProperty("labels").put(RESOURCE.name(), id);
        context.apply(serialization.convertValue(object, owned.get(id)));
    }

    private CheckedResource resource(String id) {
        return blueprint.resources().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** What waits keeps what it has, and so does what others have made. The last of an order goes first. */
    private void prune(Rendering rendering, List<GenericKubernetesResource> ours, ReconcileContext<P> context) {
        Set<String> kept = rendering.steps().stream()
                .filter(step -> step.fate() == Fate.WAITING)
                .map(Step::id)
                .collect(Collectors.toCollection(HashSet::new));
        kept.add("");
        Set<String> desired = rendering.steps().stream()
                .flatMap(step -> step.objects().stream())
                .map(ClusterObjects::identity)
                .collect(Collectors.toSet());
        List<String> order = rendering.steps().stream().map(Step::id).toList();
        ours.stream()
                .filter(object -> object.getMetadata().getDeletionTimestamp() == null)
                .filter(object -> !kept.contains(idOf(object)) && !desired.contains(ClusterObjects.identity(object)))
                .sorted((one, other) -> order.indexOf(idOf(other)) - order.indexOf(idOf(one)))
                .forEach(context::delete);
    }

    private static String idOf(GenericKubernetesResource object) {
        return RESOURCE.of(object).orElse("");
    }

    private void tell(
            P primary,
            ReconcileContext<P> context,
            Optional<Rendering> rendering,
            OwnPlans plans,
            ConditionReason reason,
            String message) {
        context.status(withStatus(primary, rendering, plans, reason, message));
    }

    /**
     * A copy without the spec, which nobody writes.
     *
     * @param rendering empty where what the status says of resources stays as it is
     */
    private P withStatus(
            P primary, Optional<Rendering> rendering, OwnPlans plans, ConditionReason reason, String message) {
        JsonNode before = json(primary.getAdditionalProperties().getOrDefault("status", Map.of()));
        ObjectNode status = rendering
                .map(known -> known.status().deepCopy())
                .orElseGet(() ->
                        before instanceof ObjectNode old ? old.deepCopy() : JsonNodeFactory.instance.objectNode());
        List<Condition> conditions = StreamSupport.stream(
                        before.path("conditions").spliterator(), false)
                .map(condition -> serialization.convertValue(condition, Condition.class))
                .toList();
        Long generation = primary.getMetadata().getGeneration();
        long seen = generation == null ? 0 : generation;
        String cut = message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE) + "…";
        Conditions now = Conditions.of(conditions, seen, clock.instant()).with(reason, cut);
        status.put("observedGeneration", seen);
        status.set("conditions", json(now.list()));
        plans.memory().ifPresentOrElse(memory -> status.set(PLANS, json(memory)), () -> {
            if (blueprint.keepsPlans()) {
                status.remove(PLANS);
            }
        });
        ObjectNode told = JsonNodeFactory.instance.objectNode();
        told.put("apiVersion", primary.getApiVersion()).put("kind", primary.getKind());
        told.set("status", status);
        @SuppressWarnings("unchecked")
        Class<P> type = (Class<P>) primary.getClass();
        P copy = serialization.convertValue(told, type);
        copy.setMetadata(primary.getMetadata());
        return copy;
    }
}

package io.busbar.blueprint.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.Plan;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.render.Renderer;
import io.busbar.blueprint.render.Rendering;
import io.busbar.blueprint.render.Rendering.Fate;
import io.busbar.blueprint.render.Rendering.PlanCall;
import io.busbar.blueprint.render.Rendering.PlanQuestion;
import io.busbar.blueprint.render.Rendering.Step;
import io.busbar.blueprint.source.Place;
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
    private static final ConditionReason HELD = ConditionReason.ofFalse(
            TYPE,
            "Held",
            "the rollout of the Blueprint has not come to it, and the revision that it has is not kept any more");
    private static final ConditionReason INVALID =
            ConditionReason.ofFalse(TYPE, "Invalid", "the instance does not fit its schema");
    private static final int LONGEST_MESSAGE = 2_000;
    private static final String PLANS = "plans";
    private static final String REVISION = "blueprintRevision";
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

    /** The newest first. */
    private final List<Version> versions;

    private final Version newest;
    private final InstanceRollout<P> rollout;
    /** By apiVersion and kind, of what is external. */
    private final Map<String, Class<? extends GenericKubernetesResource>> read;

    private final Reads reads;
    private final KubernetesSerialization serialization;
    private final InstantSource clock;

    /**
     * A revision, made ready.
     *
     * @param owned the kinds that it makes, by the ids of resources
     */
    record Version(
            Revision revision, Renderer renderer, Map<String, Class<? extends GenericKubernetesResource>> owned) {

        CheckedBlueprint blueprint() {
            return revision.blueprint();
        }

        String name() {
            return revision.name();
        }
    }

    /** @param versions the newest first */
    InstanceReconciler(
            List<Version> versions,
            InstanceRollout<P> rollout,
            Map<String, Class<? extends GenericKubernetesResource>> read,
            Reads reads,
            KubernetesSerialization serialization,
            InstantSource clock) {
        this.versions = List.copyOf(versions);
        this.newest = versions.get(0);
        this.rollout = rollout;
        this.read = Map.copyOf(read);
        this.reads = reads;
        this.serialization = serialization;
        this.clock = clock;
    }

    /** The name of the revision that an instance has; empty for none. */
    static String revisionOf(GenericKubernetesResource instance) {
        return instance.get("status", REVISION) instanceof String name ? name : "";
    }

    /** Whether an instance says that it is ready. */
    static boolean isReady(GenericKubernetesResource instance) {
        return instance.get("status", "conditions", 0, "status") instanceof String status && status.equals("True");
    }

    @Override
    public ReconcileResult reconcile(P primary, ReconcileContext<P> context) {
        return new Turn(primary, context).reconcile();
    }

    /** Carries out the plan before an instance goes. */
    @Override
    public CleanupResult cleanup(P primary, ReconcileContext<P> context) {
        return new Turn(primary, context).cleanUp();
    }

    @Override
    public Optional<P> failed(P primary, Throwable failure, ReconcileContext<P> context) {
        ConditionReason reason = failure instanceof ObjectNotOwnedException ? NOT_OWNED : REFUSED;
        return Optional.of(new Turn(primary, context).withStatus(Optional.empty(), reason, ApiFailure.reason(failure)));
    }

    private JsonNode json(Object object) {
        return serialization.convertValue(object, JsonNode.class);
    }

    private static ConditionReason reasonOf(BlueprintRun run) {
        return OwnPlans.hasFailed(run) ? PLAN_FAILED : WAITING;
    }

    private static String wordsOf(BlueprintRun run) {
        return "the run '" + run.getMetadata().getName() + "' of the plan '"
                + run.getSpec().plan() + "' "
                + (OwnPlans.hasFailed(run) ? "has not succeeded; its status says why" : "is under way");
    }

    private static String idOf(GenericKubernetesResource object) {
        return RESOURCE.of(object).orElse("");
    }

    /** One reconcile, or cleanup, of an instance. */
    private final class Turn {

        private final P primary;
        private final ReconcileContext<P> context;
        private final ObjectNode instance;
        private final boolean fits;
        private final OwnPlans plans;
        /** The revision that it has. */
        private final String before;
        /** By which its objects are made. */
        private Version version = newest;
        /** The revision that it comes to have. */
        private String revision;

        Turn(P primary, ReconcileContext<P> context) {
            this.primary = primary;
            this.context = context;
            this.instance = (ObjectNode) json(primary);
            this.fits = newest.renderer().complete(instance);
            this.before = revisionOf(primary);
            this.revision = before;
            JsonNode kept = instance.at("/status/" + PLANS);
            Optional<PlanMemory> memory = kept.isObject() && newest.blueprint().keepsPlans()
                    ? Optional.of(serialization.convertValue(kept, PlanMemory.class))
                    : Optional.empty();
            this.plans = new OwnPlans(newest.blueprint(), primary, instance, memory, context);
        }

        ReconcileResult reconcile() {
            if (!fits) {
                String wrong =
                        newest.renderer().check(SourceNode.of(json(primary))).text();
                tell(Optional.empty(), INVALID, wrong);
                return ReconcileResult.awaitChange();
            }
            Optional<Version> earlier = versions.stream()
                    .skip(1)
                    .filter(one -> one.name().equals(before))
                    .findFirst();
            if (isEarlier(before) && !rollout.mayMove(context.key(), this::all)) {
                if (earlier.isEmpty()) {
                    tell(Optional.empty(), HELD, "revision " + before + " is not there any more: nothing is changed");
                    return untilItMayMove();
                }
                version = earlier.get();
            }
            PlanQuestion question = isNewest() ? plans.question() : PlanQuestion.NONE;
            List<GenericKubernetesResource> ours = ours();
            Problems problems = new Problems();
            Rendering rendering = rendered(ours, question, problems);
            if (!problems.isEmpty() && isNewest() && isEarlier(before) && earlier.isPresent()) {
                version = earlier.get();
                rendering = rendered(ours, PlanQuestion.NONE, new Problems());
                make(rendering, ours, new Problems());
                tell(Optional.of(rendering), FAILED, problems.text() + "; revision " + before + " goes on");
                return ReconcileResult.awaitChange();
            }
            make(rendering, ours, problems);
            if (!problems.isEmpty()) {
                tell(Optional.of(rendering), FAILED, problems.text());
                return ReconcileResult.awaitChange();
            }
            revision = version.name();
            if (!isNewest()) {
                tell(rendering);
                return untilItMayMove();
            }
            plans.decide(question, rendering.calls());
            tell(rendering);
            if (plans.hasNext()) {
                plans.begin();
                tell(rendering);
            }
            return ReconcileResult.awaitChange();
        }

        private boolean isNewest() {
            return version.name().equals(newest.name());
        }

        private boolean isEarlier(String name) {
            return !name.isEmpty() && !name.equals(newest.name());
        }

        private ReconcileResult untilItMayMove() {
            return rollout.patience(context.key())
                    .map(ReconcileResult::requeueAfter)
                    .orElseGet(ReconcileResult::awaitChange);
        }

        @SuppressWarnings("unchecked") // of the primary's own class
        private List<P> all() {
            return context.lister((Class<P>) primary.getClass()).list();
        }

        private Rendering rendered(List<GenericKubernetesResource> ours, PlanQuestion question, Problems problems) {
            ClusterObjects live = new ClusterObjects(context, ours, read, reads, InstanceReconciler.this::json);
            Rendering rendering = version.renderer().render(instance, live, question, problems);
            reads.keep(context.key(), live.references());
            return rendering;
        }

        /** Applies what there is to be, and takes away what is not. */
        private void make(Rendering rendering, List<GenericKubernetesResource> ours, Problems problems) {
            Map<String, String> makers = new HashMap<>();
            for (Step step : rendering.steps()) {
                for (ObjectNode object : step.objects()) {
                    String maker = makers.putIfAbsent(ClusterObjects.identity(object), step.id());
                    if (maker == null) {
                        apply(step.id(), object, problems);
                    } else {
                        problems.add(
                                placeOf(step.id()),
                                "'" + step.id() + "' and '" + maker + "' make the same object, "
                                        + ClusterObjects.identity(object));
                    }
                }
            }
            prune(rendering, ours);
        }

        private List<GenericKubernetesResource> ours() {
            List<GenericKubernetesResource> all = new ArrayList<>();
            versions.stream()
                    .flatMap(one -> one.owned().values().stream())
                    .distinct()
                    .forEach(type -> all.addAll(context.owned(type)));
            return all;
        }

        private void apply(String id, ObjectNode object, Problems problems) {
            String own = primary.getMetadata().getNamespace();
            String its = object.path("metadata").path("namespace").asText();
            if (own != null && !its.equals(own)) {
                problems.add(
                        placeOf(id),
                        "'" + id + "' is " + (its.isEmpty() ? "in no namespace" : "in the namespace '" + its + "'")
                                + ", and the instance in '" + own + "': it can own objects of its own namespace alone");
                return;
            }
            object.withObjectProperty("metadata").withObjectProperty("labels").put(RESOURCE.name(), id);
            context.apply(serialization.convertValue(object, version.owned().get(id)));
        }

        private Place placeOf(String id) {
            return version.blueprint().resources().stream()
                    .filter(one -> one.id().equals(id))
                    .findFirst()
                    .orElseThrow()
                    .resource()
                    .body()
                    .place();
        }

        /** What waits keeps what it has, and so does what others have made. The last of an order goes first. */
        private void prune(Rendering rendering, List<GenericKubernetesResource> ours) {
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
                    .filter(object ->
                            !kept.contains(idOf(object)) && !desired.contains(ClusterObjects.identity(object)))
                    .sorted((one, other) -> order.indexOf(idOf(other)) - order.indexOf(idOf(one)))
                    .forEach(context::delete);
        }

        CleanupResult cleanUp() {
            Problems problems = new Problems();
            ClusterObjects live = new ClusterObjects(context, ours(), read, new Reads(), InstanceReconciler.this::json);
            PlanQuestion question = new PlanQuestion(Set.of(Plan.DELETE), instance.path("spec"));
            Optional<PlanCall> call = newest.renderer().render(instance, live, question, problems).calls().stream()
                    .findFirst();
            if (call.isEmpty()) { // its parameters are wrong
                tell(Optional.empty(), FAILED, problems.text());
                return CleanupResult.notYet(LOOK_AGAIN);
            }
            OwnPlans.Leave leave = plans.leave(call.get());
            if (leave == OwnPlans.Leave.DONE) {
                return CleanupResult.done();
            }
            Optional<BlueprintRun> run = plans.leaving();
            tell(
                    Optional.empty(),
                    run.map(InstanceReconciler::reasonOf).orElse(WAITING),
                    run.map(InstanceReconciler::wordsOf).orElse("a run that is under way ends first"));
            return CleanupResult.notYet(leave == OwnPlans.Leave.TO_TELL ? Duration.ZERO : LOOK_AGAIN);
        }

        private void tell(Rendering rendering) {
            Optional<Step> unready = rendering.steps().stream()
                    .filter(step -> step.fate() == Fate.WAITING || (step.fate() != Fate.LEFT_OUT && !step.ready()))
                    .findFirst();
            if (unready.isPresent()) {
                String why = unready.get().id() + ": " + unready.get().why();
                tell(Optional.of(rendering), WAITING, why);
                return;
            }
            Optional<BlueprintRun> run = plans.unfinished();
            Optional<String> next = plans.next().map(plan -> "the plan '" + plan + "' is about to begin");
            tell(
                    Optional.of(rendering),
                    run.map(InstanceReconciler::reasonOf).orElse(next.isPresent() ? WAITING : READY),
                    run.map(InstanceReconciler::wordsOf).or(() -> next).orElse("all resources are ready"));
        }

        private void tell(Optional<Rendering> rendering, ConditionReason reason, String message) {
            context.status(withStatus(rendering, reason, message));
            InstanceRollout.State reached =
                    reason.equals(READY) ? InstanceRollout.State.READY : InstanceRollout.State.UNAVAILABLE;
            rollout.note(context.key(), isEarlier(revision) ? InstanceRollout.State.EARLIER : reached);
        }

        /**
         * A copy without the spec, which nobody writes.
         *
         * @param rendering empty where what the status says of resources stays as it is
         */
        P withStatus(Optional<Rendering> rendering, ConditionReason reason, String message) {
            JsonNode told = json(primary.getAdditionalProperties().getOrDefault("status", Map.of()));
            ObjectNode status = rendering
                    .map(known -> known.status().deepCopy())
                    .orElseGet(() ->
                            told instanceof ObjectNode old ? old.deepCopy() : JsonNodeFactory.instance.objectNode());
            List<Condition> conditions = StreamSupport.stream(
                            told.path("conditions").spliterator(), false)
                    .map(condition -> serialization.convertValue(condition, Condition.class))
                    .toList();
            Long generation = primary.getMetadata().getGeneration();
            long seen = generation == null ? 0 : generation;
            String cut = message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE) + "…";
            Conditions now = Conditions.of(conditions, seen, clock.instant()).with(reason, cut);
            status.put("observedGeneration", seen);
            status.set("conditions", json(now.list()));
            if (!revision.isEmpty()) {
                status.put(REVISION, revision);
            }
            plans.memory().ifPresentOrElse(memory -> status.set(PLANS, json(memory)), () -> {
                if (newest.blueprint().keepsPlans()) {
                    status.remove(PLANS);
                }
            });
            ObjectNode copied = JsonNodeFactory.instance.objectNode();
            copied.put("apiVersion", primary.getApiVersion()).put("kind", primary.getKind());
            copied.set("status", status);
            @SuppressWarnings("unchecked")
            Class<P> type = (Class<P>) primary.getClass();
            P copy = serialization.convertValue(copied, type);
            copy.setMetadata(primary.getMetadata());
            return copy;
        }
    }
}

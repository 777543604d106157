package io.busbar.blueprint.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.Plan;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.check.CheckedResource;
import io.busbar.blueprint.render.ConditionRendering;
import io.busbar.blueprint.render.ConditionRendering.Stated;
import io.busbar.blueprint.render.Renderer;
import io.busbar.blueprint.render.Rendering;
import io.busbar.blueprint.render.Rendering.PlanCall;
import io.busbar.blueprint.render.Rendering.PlanQuestion;
import io.busbar.blueprint.render.Rendering.Step;
import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.common.MetadataKey;
import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.busbar.common.watch.Lister;
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
            "an instance of a Blueprint with a plan 'delete', or with objects that do not go with it by themselves",
            "carries that plan out, and then takes those objects away, or releases them, before the instance goes");

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
    private static final ConditionReason OTHER_TOOL = ConditionReason.ofFalse(
            TYPE,
            "OtherTool",
            "another tool keeps the instance as its ApplySet, as its annotation applyset.kubernetes.io/tooling says;"
                    + " nothing is changed");
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
    /** For what a watch tells of. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The newest first. */
    private final List<Version> versions;

    private final Version newest;
    private final boolean keepsLooseObjects;
    private final InstanceRollout<P> rollout;
    /** By apiVersion and kind, of what is external. */
    private final Map<String, Class<? extends GenericKubernetesResource>> read;

    private final Reads reads;
    private final InstanceObjects objects;
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
        this.keepsLooseObjects =
                versions.stream().anyMatch(version -> version.blueprint().keepsLooseObjects());
        this.rollout = rollout;
        this.read = Map.copyOf(read);
        this.reads = reads;
        this.objects =
                new InstanceObjects(versions.stream().map(Version::blueprint).toList(), serialization);
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

    /** Whether something is to be done before an instance goes. */
    boolean needsFinalizer(P instance) {
        boolean namespaced = newest.blueprint().blueprint().schema().namespaced();
        boolean isHeld = instance.getMetadata().getFinalizers().contains(FINALIZER.name());
        return newest.blueprint().hasPlan(Plan.DELETE)
                || keepsLooseObjects
                || (namespaced && !ApplySet.saidBy(instance).namespaces().isEmpty())
                || (namespaced && isHeld && !objects.formerKinds(instance).isEmpty());
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
        return Optional.of(new Turn(primary, context).failed(reason, ApiFailure.reason(failure)));
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

    /** One reconcile, or cleanup, of an instance. */
    private final class Turn {

        private final P primary;
        private final ReconcileContext<P> context;
        private final ObjectNode instance;
        private final boolean fits;
        private final OwnPlans plans;
        /** The external objects that it has looked at, by whichever revision. */
        private final List<JsonNode> looked = new ArrayList<>();
        /** The revision that it has. */
        private final String before;
        /** By which its objects are made. */
        private Version version = newest;
        /** The revision that it comes to have. */
        private String revision;
        /** What could not be taken away, and why; empty for nothing. */
        private String left = "";

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
            Optional<String> otherTool = ApplySet.otherTool(primary);
            if (otherTool.isPresent()) {
                tell(
                        Optional.empty(),
                        OTHER_TOOL,
                        "the annotation " + ApplySet.TOOLING.name() + " says " + otherTool.get()
                                + ": nothing is changed while it is there");
                return ReconcileResult.awaitChange();
            }
            ReconcileResult result = advance();
            return left.isEmpty() ? result : ReconcileResult.requeue();
        }

        private ReconcileResult advance() {
            Optional<Version> earlier = versions.stream()
                    .skip(1)
                    .filter(one -> one.name().equals(before))
                    .findFirst();
            if (isEarlier(before)
                    && !rollout.mayMove(
                            context.key(), instances().size(), () -> instances().list())) {
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
            if (rendering.unknownCalls().isEmpty()) { // else one that is due would be forgotten
                plans.decide(question, rendering.calls());
            }
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
            return newest.revision().isAfter(name);
        }

        private ReconcileResult untilItMayMove() {
            return rollout.patience(context.key())
                    .map(ReconcileResult::requeueAfter)
                    .orElseGet(ReconcileResult::awaitChange);
        }

        @SuppressWarnings("unchecked") // of the primary's own class
        private Lister<P> instances() {
            return context.lister((Class<P>) primary.getClass());
        }

        private Rendering rendered(List<GenericKubernetesResource> ours, PlanQuestion question, Problems problems) {
            ClusterObjects live = new ClusterObjects(context, ours, read, reads, InstanceReconciler.this::json);
            Rendering rendering = version.renderer().render(instance, live, question, problems);
            looked.addAll(live.references());
            reads.keep(context.key(), looked);
            reads.sweep(instances());
            return rendering;
        }

        /** Applies what there is to be, and takes away what is not. */
        private void make(Rendering rendering, List<GenericKubernetesResource> ours, Problems problems) {
            left = objects.make(version, primary, rendering, ours, context, problems);
        }

        private List<GenericKubernetesResource> ours() {
            List<GenericKubernetesResource> all = new ArrayList<>();
            versions.stream()
                    .flatMap(one -> one.owned().values().stream())
                    .distinct()
                    .forEach(type -> {
                        if (LooseObjects.canBeOwned(type, primary.getClass())) {
                            all.addAll(context.owned(type));
                        }
                        all.addAll(loose(type));
                    });
            return all;
        }

        private <T extends GenericKubernetesResource> List<T> loose(Class<T> type) {
            String uid = primary.getMetadata().getUid();
            return context.lister(type).by(LooseObjects.byInstance(), uid).stream()
                    .filter(object -> LooseObjects.controllerOf(object).isEmpty())
                    .toList();
        }

        CleanupResult cleanUp() {
            if (newest.blueprint().hasPlan(Plan.DELETE)) {
                Optional<CleanupResult> notYet = carryOutLastPlan();
                if (notYet.isPresent()) {
                    return notYet.get();
                }
            }
            List<String> order = newest.blueprint().resources().stream()
                    .map(CheckedResource::id)
                    .toList();
            Optional<GenericKubernetesResource> left = objects.takeAwayLoose(primary, order, ours(), context);
            if (left.isEmpty()) {
                return CleanupResult.done();
            }
            tell(
                    Optional.empty(),
                    WAITING,
                    "the " + left.get().getKind() + " " + ObjectKey.of(left.get()) + " is not gone yet");
            return CleanupResult.notYet(PATIENCE);
        }

        /** Empty when it is over. */
        private Optional<CleanupResult> carryOutLastPlan() {
            Problems problems = new Problems();
            List<String> unknown = new ArrayList<>();
            OwnPlans.Leave leave = plans.leave(() -> lastCall(problems, unknown));
            if (leave == OwnPlans.Leave.DONE) {
                return Optional.empty();
            }
            if (leave == OwnPlans.Leave.UNKNOWN) {
                tell(
                        Optional.empty(),
                        problems.isEmpty() ? WAITING : FAILED,
                        (problems.isEmpty() ? String.join("; ", unknown) : problems.text()) + "; " + wayOut());
                return Optional.of(CleanupResult.notYet(PATIENCE));
            }
            Optional<BlueprintRun> run = plans.leaving();
            tell(
                    Optional.empty(),
                    run.map(InstanceReconciler::reasonOf).orElse(WAITING),
                    run.map(InstanceReconciler::wordsOf).orElse("a run that is under way ends first"));
            return Optional.of(CleanupResult.notYet(leave == OwnPlans.Leave.TO_TELL ? Duration.ZERO : PATIENCE));
        }

        /** What somebody can do who does not want to wait for what may never be known. */
        private String wayOut() {
            String parameters = newest.blueprint().plans().stream()
                    .filter(plan -> plan.name().equals(Plan.DELETE))
                    .flatMap(plan -> plan.plan().parameters().keySet().stream())
                    .collect(Collectors.joining(", "));
            return "a BlueprintRun '" + plans.leavingName() + "' of this plan that you make with values for "
                    + parameters + " takes its place; one with 'cancel: true' lets the instance go without";
        }

        /**
         * Of the plan before it goes.
         *
         * @param unknown gets what its parameters wait for
         * @return empty where they cannot be evaluated
         */
        private Optional<PlanCall> lastCall(Problems problems, List<String> unknown) {
            ClusterObjects live = new ClusterObjects(context, ours(), read, new Reads(), InstanceReconciler.this::json);
            PlanQuestion question = new PlanQuestion(Set.of(Plan.DELETE), instance.path("spec"));
            Rendering rendering = newest.renderer().render(instance, live, question, problems);
            unknown.addAll(rendering.unknownCalls());
            return rendering.calls().stream().findFirst();
        }

        private void tell(Rendering rendering) {
            if (!left.isEmpty()) {
                tell(Optional.of(rendering), REFUSED, left);
                return;
            }
            Optional<Step> unready = rendering.unready();
            if (unready.isPresent()) {
                String why = unready.get().id() + ": " + unready.get().why();
                tell(Optional.of(rendering), WAITING, why);
                return;
            }
            Optional<BlueprintRun> run = plans.unfinished();
            Optional<String> next = plans.next()
                    .map(plan -> "the plan '" + plan + "' is about to begin")
                    .or(() -> rendering.unknownCalls().stream().findFirst());
            tell(
                    Optional.of(rendering),
                    run.map(InstanceReconciler::reasonOf).orElse(next.isPresent() ? WAITING : READY),
                    run.map(InstanceReconciler::wordsOf).or(() -> next).orElse("all resources are ready"));
        }

        private void tell(Optional<Rendering> rendering, ConditionReason reason, String message) {
            Problems problems = new Problems();
            Optional<ConditionRendering.Outcome> stated =
                    rendering.map(known -> known.conditions().of(own(reason, message), problems));
            if (problems.isEmpty()) {
                told(reason, withStatus(rendering, stated, reason, message));
            } else {
                String first = reason.equals(FAILED) ? message + "; " : "";
                told(FAILED, withStatus(rendering, stated, FAILED, first + problems.text()));
            }
        }

        /** As kro calls its conditions: of these there is one here. */
        private List<Stated> own(ConditionReason reason, String message) {
            String status = reason.status().text();
            String resolved = reason.equals(FAILED) ? "False" : "True";
            return List.of(
                    new Stated(TYPE, status, reason.reason(), message),
                    new Stated("ResourcesReady", status, reason.reason(), message),
                    new Stated("GraphResolved", resolved, reason.reason(), message),
                    new Stated("InstanceManaged", "True", reason.reason(), message));
        }

        private void told(ConditionReason reason, P written) {
            context.status(written);
            InstanceRollout.State reached =
                    reason.equals(READY) ? InstanceRollout.State.READY : InstanceRollout.State.UNAVAILABLE;
            note(isEarlier(revision) ? InstanceRollout.State.EARLIER : reached);
        }

        private void note(InstanceRollout.State reached) {
            rollout.note(context.key(), reached, () -> instances().list());
        }

        /** What moves has been noted when it began to, and goes on doing so: it makes no room for another one. */
        P failed(ConditionReason reason, String message) {
            if (!isEarlier(before)) {
                note(InstanceRollout.State.UNAVAILABLE);
            }
            return withStatus(Optional.empty(), Optional.empty(), reason, message);
        }

        /** The operator's own first. */
        private List<Condition> conditions(
                Conditions before,
                Optional<ConditionRendering.Outcome> stated,
                ConditionReason reason,
                String message) {
            String own = newest.blueprint().ownCondition();
            Conditions now = before.with(own, reason.status().text(), reason.reason(), cut(message));
            List<Condition> all = new ArrayList<>(now.find(own).stream().toList());
            Set<String> theirs = new HashSet<>();
            for (Stated each : stated.map(ConditionRendering.Outcome::stated).orElse(List.of())) {
                // Kubernetes 1.20 takes an empty text for null, and refuses that.
                String why = each.reason().isEmpty() ? each.type() : each.reason();
                now = now.with(each.type(), each.status(), why, each.message().isEmpty() ? why : cut(each.message()));
                theirs.add(each.type());
            }
            boolean othersStay = stated.map(outcome -> !outcome.complete())
                    .orElse(!newest.blueprint().conditions().isEmpty());
            now.list().stream()
                    .filter(one -> !one.getType().equals(own))
                    .filter(one -> othersStay || theirs.contains(one.getType()))
                    .forEach(all::add);
            return all;
        }

        private static String cut(String message) {
            return message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE) + "…";
        }

        /** In the words of kro. */
        private String state(ConditionReason reason) {
            if (primary.getMetadata().getDeletionTimestamp() != null) {
                return "DELETING";
            }
            return reason.equals(READY)
                    ? "ACTIVE"
                    : reason.equals(WAITING) || reason.equals(HELD) ? "IN_PROGRESS" : "ERROR";
        }

        /**
         * A copy without the spec, which nobody writes.
         *
         * @param rendering empty where what the status says of resources stays as it is
         * @param stated the Blueprint's own conditions; empty where these stay as they are
         */
        private P withStatus(
                Optional<Rendering> rendering,
                Optional<ConditionRendering.Outcome> stated,
                ConditionReason reason,
                String message) {
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
            status.put("observedGeneration", seen);
            status.set(
                    "conditions",
                    json(conditions(Conditions.of(conditions, seen, clock.instant()), stated, reason, message)));
            if (!revision.isEmpty()) {
                status.put(REVISION, revision);
            }
            if (!newest.blueprint().blueprint().schema().hasOwnState()) {
                status.put(InstanceSchema.STATE, state(reason));
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

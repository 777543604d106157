package io.busbar.blueprint.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.Plan;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.check.CheckedResource;
import io.busbar.blueprint.render.Renderer;
import io.busbar.blueprint.render.Rendering;
import io.busbar.blueprint.render.Rendering.PlanCall;
import io.busbar.blueprint.render.Rendering.PlanQuestion;
import io.busbar.blueprint.render.Rendering.Step;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.common.MetadataKey;
import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.condition.ConditionReason;
import io.busbar.common.watch.Lister;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.ObjectNotOwnedException;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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
        ConditionReason reason =
                failure instanceof ObjectNotOwnedException ? InstanceStatus.NOT_OWNED : InstanceStatus.REFUSED;
        return Optional.of(new Turn(primary, context).failed(reason, ApiFailure.reason(failure)));
    }

    private JsonNode json(Object object) {
        return serialization.convertValue(object, JsonNode.class);
    }

    private static ConditionReason reasonOf(BlueprintRun run) {
        return OwnPlans.hasFailed(run) ? InstanceStatus.PLAN_FAILED : InstanceStatus.WAITING;
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
        private final InstanceStatus<P> status;
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
            this.before = InstanceStatus.revisionOf(primary);
            this.revision = before;
            this.status =
                    new InstanceStatus<>(newest.blueprint(), primary, instance.path("status"), serialization, clock);
            this.plans = new OwnPlans(newest.blueprint(), primary, instance, status.plans(), context);
        }

        ReconcileResult reconcile() {
            if (!fits) {
                tell(
                        InstanceStatus.INVALID,
                        newest.renderer().check(SourceNode.of(json(primary))).text());
                return ReconcileResult.awaitChange();
            }
            Optional<String> otherTool = ApplySet.otherTool(primary);
            if (otherTool.isPresent()) {
                tell(
                        InstanceStatus.OTHER_TOOL,
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
            boolean isHeld = isEarlier(before) && !mayMove();
            if (isHeld && earlier.isEmpty()) {
                tell(InstanceStatus.HELD, "revision " + before + " is not there any more: nothing is changed");
                return untilItMayMove();
            }
            version = isHeld ? earlier.get() : newest;
            PlanQuestion question = isNewest() ? plans.question() : PlanQuestion.NONE;
            List<GenericKubernetesResource> ours = ours();
            Problems problems = new Problems();
            Rendering rendering = rendered(ours, question, problems);
            if (!problems.isEmpty() && isNewest() && isEarlier(before) && earlier.isPresent()) {
                return goOnWith(earlier.get(), ours, problems);
            }
            make(rendering, ours, problems);
            if (!problems.isEmpty()) {
                tell(Optional.of(rendering), InstanceStatus.FAILED, problems.text());
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

        /** @param problems of the newest */
        private ReconcileResult goOnWith(Version earlier, List<GenericKubernetesResource> ours, Problems problems) {
            version = earlier;
            Rendering rendering = rendered(ours, PlanQuestion.NONE, new Problems());
            make(rendering, ours, new Problems());
            tell(Optional.of(rendering), InstanceStatus.FAILED, problems.text() + "; revision " + before + " goes on");
            return ReconcileResult.awaitChange();
        }

        private boolean mayMove() {
            return rollout.mayMove(
                    context.key(), instances().size(), () -> instances().list());
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
                    InstanceStatus.WAITING,
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
                        problems.isEmpty() ? InstanceStatus.WAITING : InstanceStatus.FAILED,
                        (problems.isEmpty() ? String.join("; ", unknown) : problems.text()) + "; " + wayOut());
                return Optional.of(CleanupResult.notYet(PATIENCE));
            }
            Optional<BlueprintRun> run = plans.leaving();
            tell(
                    run.map(InstanceReconciler::reasonOf).orElse(InstanceStatus.WAITING),
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
                tell(Optional.of(rendering), InstanceStatus.REFUSED, left);
                return;
            }
            Optional<Step> unready = rendering.unready();
            if (unready.isPresent()) {
                String why = unready.get().id() + ": " + unready.get().why();
                tell(Optional.of(rendering), InstanceStatus.WAITING, why);
                return;
            }
            Optional<BlueprintRun> run = plans.unfinished();
            Optional<String> next = plans.next()
                    .map(plan -> "the plan '" + plan + "' is about to begin")
                    .or(() -> rendering.unknownCalls().stream().findFirst());
            tell(
                    Optional.of(rendering),
                    run.map(InstanceReconciler::reasonOf)
                            .orElse(next.isPresent() ? InstanceStatus.WAITING : InstanceStatus.READY),
                    run.map(InstanceReconciler::wordsOf).or(() -> next).orElse("all resources are ready"));
        }

        private void tell(ConditionReason reason, String message) {
            tell(Optional.empty(), reason, message);
        }

        private void tell(Optional<Rendering> rendering, ConditionReason reason, String message) {
            P written = status.with(rendering, reason, message, revision, plans.memory());
            context.status(written);
            InstanceRollout.State reached =
                    InstanceStatus.isReady(written) ? InstanceRollout.State.READY : InstanceRollout.State.UNAVAILABLE;
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
            return status.with(Optional.empty(), reason, message, revision, plans.memory());
        }
    }
}

package io.busbar.blueprint.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.Plan;
import io.busbar.blueprint.Plan.Action;
import io.busbar.blueprint.Plan.Phase;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.check.CheckedPlan;
import io.busbar.blueprint.check.CheckedPlan.CheckedStep;
import io.busbar.blueprint.render.PlanRendering;
import io.busbar.blueprint.render.PlanRendering.StepObject;
import io.busbar.blueprint.render.Renderer;
import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.blueprint.v1alpha1.BlueprintRunSpec;
import io.busbar.blueprint.v1alpha1.BlueprintRunStatus;
import io.busbar.blueprint.v1alpha1.BlueprintRunStatus.State;
import io.busbar.common.MetadataKey;
import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.watch.Index;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a plan, step by step. What a step does can be done again, or is known to have been done by what the API
 * server has and the status says: a Job has the name of its run, step and attempt, and what is to be deleted is noted by its
 * uid before. So a process that is killed anywhere is followed by one that goes on.
 */
final class RunReconciler implements Reconciler<BlueprintRun> {

    static final MetadataKey ABOUT = MetadataKey.annotation(
            "blueprints.busbar.io/about",
            "a BlueprintRun",
            "set by the operator on those that begin by themselves: the uid of the instance that it is about; to another"
                    + " one of the same name it does nothing");

    /** Files objects under the uids of their owners, and of the instance that they are of by a label. */
    static final Index<GenericKubernetesResource> BY_OWNER =
            Index.ofMetadata("blueprint.owners", RunReconciler::ownersOf);

    /** Files runs that go on under the instances that they are about. */
    static final Index<BlueprintRun> BY_INSTANCE = new Index<>("blueprint.instance", RunReconciler::instanceOf);

    /** For what no watch tells of. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int UNPROCESSABLE = 422;

    private final CheckedBlueprint blueprint;
    private final InstanceKind kind;
    private final Renderer renderer;
    private final Class<? extends GenericKubernetesResource> instances;
    private final Set<Class<? extends GenericKubernetesResource>> owned;
    private final Map<String, Class<? extends GenericKubernetesResource>> read;
    private final Reads reads;
    private final KubernetesSerialization serialization;
    private final InstantSource clock;

    /**
     * @param owned the kinds of resources that are made
     * @param read by apiVersion and kind, of what is external
     * @param reads takes note of which external objects runs look at
     */
    RunReconciler(
            CheckedBlueprint blueprint,
            Class<? extends GenericKubernetesResource> instances,
            Set<Class<? extends GenericKubernetesResource>> owned,
            Map<String, Class<? extends GenericKubernetesResource>> read,
            Reads reads,
            KubernetesSerialization serialization,
            InstantSource clock) {
        this.blueprint = blueprint;
        this.kind = InstanceKind.of(blueprint.blueprint().schema());
        this.renderer = new Renderer(blueprint);
        this.instances = instances;
        this.owned = Set.copyOf(owned);
        this.read = Map.copyOf(read);
        this.reads = reads;
        this.serialization = serialization;
        this.clock = clock;
    }

    /** The uids of an object's owners, and of the instance that it is of by a label. */
    static List<String> ownersOf(HasMetadata object) {
        return Stream.concat(
                        object.getMetadata().getOwnerReferences().stream().map(OwnerReference::getUid),
                        LooseObjects.INSTANCE.of(object).stream())
                .distinct()
                .toList();
    }

    /** What {@link #BY_INSTANCE} files the runs about an instance under. */
    static String reference(HasMetadata instance) {
        return reference(InstanceKind.of(instance), instance.getMetadata().getName());
    }

    private static String reference(InstanceKind kind, String name) {
        return kind.group() + " " + kind.kind() + " " + name;
    }

    private static List<String> instanceOf(BlueprintRun run) {
        if (run.getSpec() == null || !OwnPlans.isActive(run)) {
            return List.of();
        }
        BlueprintRunSpec.Instance named = run.getSpec().instance();
        return List.of(reference(InstanceKind.of(named), named.name()));
    }

    /** The name of the controller of runs, and of the manager of what they apply. */
    static String name(CheckedBlueprint blueprint) {
        InstanceSchema schema = blueprint.blueprint().schema();
        return "runs." + schema.plural() + "." + schema.group();
    }

    @Override
    public ReconcileResult reconcile(BlueprintRun run, ReconcileContext<BlueprintRun> context) {
        if (!kind.isOf(run)) {
            return ReconcileResult.awaitChange();
        }
        Optional<CheckedPlan> found = plan(run);
        RunProgress progress = progress(run);
        boolean cancelled = Boolean.TRUE.equals(run.getSpec().cancel());
        if (progress.isOver() && !(cancelled && progress.hasFailed())) {
            reads.keep(context.key(), List.of());
            return ReconcileResult.awaitChange();
        }
        if (cancelled) { // also one that has failed: the instance may wait for that to go
            new StepJobs(run, progress, context, serialization).endAll();
            context.status(progress.cancelled());
            return ReconcileResult.awaitChange();
        }
        if (found.isEmpty()) {
            return fail(run, noPlan(run), progress, context);
        }
        Optional<? extends GenericKubernetesResource> instance =
                context.lister(instances).get(key(run));
        Optional<String> uid = instance.map(one -> one.getMetadata().getUid());
        Optional<String> about = about(run);
        if (about.isPresent() && !about.equals(uid)) {
            return leaveAlone(run, about.get(), progress, context);
        }
        if (instance.isEmpty()) { // it may be made after its run
            context.status(progress.told(RunProgress.RUNNING, named(run) + " is not there"));
            return ReconcileResult.awaitChange();
        }
        if (about.isEmpty()) {
            progress.noteInstance(instance.get().getMetadata().getUid());
            context.status(progress.told());
        }
        Optional<String> left = new StepJobs(run, progress, context, serialization).stopEarlier();
        if (left.isPresent()) {
            context.status(progress.told(
                    RunProgress.RUNNING, "the Job '" + left.get() + "' of an earlier attempt is not gone yet"));
            return ReconcileResult.requeueAfter(LOOK_AGAIN);
        }
        Turn turn = new Turn(run, instance.get(), progress, context);
        turn.advance(found.get());
        Optional<KubernetesClientException> refused = turn.refused();
        if (refused.isPresent()) {
            context.status(progress.told(RunProgress.RUNNING, ApiFailure.reason(refused.get())));
            throw refused.get();
        }
        BlueprintRun told = progress.told();
        context.status(told);
        return told.getStatus().completionTime() == null
                ? ReconcileResult.requeueAfter(turn.next())
                : ReconcileResult.awaitChange();
    }

    private ReconcileResult fail(
            BlueprintRun run, String why, RunProgress progress, ReconcileContext<BlueprintRun> context) {
        new StepJobs(run, progress, context, serialization).endAll();
        context.status(progress.ended(RunProgress.FAILED, why));
        return ReconcileResult.awaitChange();
    }

    /** The uid of the instance that a run is about; empty for one that has not looked at it yet. */
    private static Optional<String> about(BlueprintRun run) {
        return ABOUT.of(run).or(() -> Optional.ofNullable(run.getStatus()).map(BlueprintRunStatus::instance));
    }

    /** Ends a run whose instance has gone, and nothing else: the store may not have the right one yet. */
    private ReconcileResult leaveAlone(
            BlueprintRun run, String about, RunProgress progress, ReconcileContext<BlueprintRun> context) {
        Optional<String> there =
                context.live(instances, key(run)).map(one -> one.getMetadata().getUid());
        if (there.filter(about::equals).isPresent()) {
            return ReconcileResult.requeueAfter(LOOK_AGAIN);
        }
        StepJobs.stopAll(context);
        String gone = named(run) + " that it is about has gone";
        context.status(progress.ended(
                RunProgress.FAILED, there.isEmpty() ? gone : gone + ": the one that is there now is another one"));
        return ReconcileResult.awaitChange();
    }

    private static String named(BlueprintRun run) {
        BlueprintRunSpec.Instance named = run.getSpec().instance();
        return "the " + named.kind() + " '" + named.name() + "'";
    }

    private Optional<CheckedPlan> plan(BlueprintRun run) {
        return blueprint.plans().stream()
                .filter(plan -> plan.plan().name().equals(run.getSpec().plan()))
                .findFirst();
    }

    private RunProgress progress(BlueprintRun run) {
        return new RunProgress(run, plan(run).map(CheckedPlan::plan), clock.instant());
    }

    private String noPlan(BlueprintRun run) {
        return "there is no plan '" + run.getSpec().plan() + "'; allowed: "
                + blueprint.plans().stream().map(one -> one.plan().name()).collect(Collectors.joining(", "));
    }

    private ObjectKey key(BlueprintRun run) {
        String name = run.getSpec().instance().name();
        return blueprint.blueprint().schema().namespaced()
                ? ObjectKey.of(run.getMetadata().getNamespace(), name)
                : ObjectKey.of(name);
    }

    /** A step that the API server refuses waits, and is tried again: it may get the right that it lacks. */
    @Override
    public Optional<BlueprintRun> failed(BlueprintRun run, Throwable failure, ReconcileContext<BlueprintRun> context) {
        if (!kind.isOf(run)) {
            return Optional.empty();
        }
        return Optional.of(progress(run).told(RunProgress.RUNNING, ApiFailure.reason(failure)));
    }

    private JsonNode json(Object object) {
        return serialization.convertValue(object, JsonNode.class);
    }

    /** One reconcile of a run that goes on. */
    private final class Turn {

        private final BlueprintRun run;
        private final GenericKubernetesResource instance;
        private final RunProgress progress;
        private final ReconcileContext<BlueprintRun> context;
        private final StepObjects objects;
        private final StepJobs jobs;
        private final PlanRendering rendering;
        /** Whether something is waited for that nobody tells of. */
        private boolean looks;
        /** What the API server has answered to the first step that it has refused, and that is to be tried again. */
        private @Nullable KubernetesClientException refused;
        /** Until the first timeout of what is under way. */
        private Duration patience = PATIENCE;

        Turn(
                BlueprintRun run,
                GenericKubernetesResource instance,
                RunProgress progress,
                ReconcileContext<BlueprintRun> context) {
            this.run = run;
            this.instance = instance;
            this.progress = progress;
            this.context = context;
            this.objects = new StepObjects(name(blueprint), instance, owned, progress, context, serialization);
            this.jobs = new StepJobs(run, progress, context, serialization);
            List<GenericKubernetesResource> its = new ArrayList<>();
            owned.forEach(type -> its.addAll(ownedBy(type)));
            ClusterObjects live = new ClusterObjects(context, its, read, reads, RunReconciler.this::json);
            this.rendering = renderer.plan(SourceNode.of(json(instance)), live, variable());
            reads.keep(context.key(), live.references());
            reads.sweep(context.lister(BlueprintRun.class));
        }

        @SuppressWarnings("unchecked") // the index looks at metadata alone
        private <T extends GenericKubernetesResource> List<T> ownedBy(Class<T> type) {
            return context.lister(type)
                    .by((Index<T>) BY_OWNER, instance.getMetadata().getUid());
        }

        /** What expressions know as {@code run}. */
        private ObjectNode variable() {
            ObjectNode variable = JsonNodeFactory.instance
                    .objectNode()
                    .put("name", run.getMetadata().getName())
                    .put("uid", run.getMetadata().getUid())
                    .put("attempt", RunProgress.attempt(run.getSpec()));
            ObjectNode parameters = variable.putObject("parameters");
            Objects.requireNonNullElse(run.getSpec().parameters(), Map.<String, String>of())
                    .forEach(parameters::put);
            return variable;
        }

        void advance(CheckedPlan plan) {
            for (Phase phase : plan.plan().phases()) {
                for (Plan.Step step : phase.steps()) {
                    if (!progress.hasEnded(step.name())) {
                        advance(Objects.requireNonNull(plan.steps().get(step.name())));
                    }
                    if (!phase.parallel() && progress.of(step.name()).state() != State.Succeeded) {
                        return;
                    }
                }
                if (!progress.hasSucceeded(phase)) {
                    return;
                }
            }
        }

        private void advance(CheckedStep step) {
            String name = step.step().name();
            carryOnWith(step);
            if (progress.of(name).state() != State.Running) {
                return;
            }
            looks |= step.step().action() == Action.JOB && progress.of(name).object() == null;
            step.step().timeoutSeconds().ifPresent(limit -> {
                Duration left = Duration.ofSeconds(Math.max(1, limit - progress.age(name) + 1));
                patience = left.compareTo(patience) < 0 ? left : patience;
            });
        }

        /** Why a step is to be tried again; empty where none is. */
        Optional<KubernetesClientException> refused() {
            return Optional.ofNullable(refused);
        }

        /** When to look again, if no watch tells of anything. */
        Duration next() {
            return looks && LOOK_AGAIN.compareTo(patience) < 0 ? LOOK_AGAIN : patience;
        }

        private void carryOnWith(CheckedStep step) {
            String name = step.step().name();
            OptionalLong limit = step.step().timeoutSeconds();
            boolean isLate = limit.isPresent() && progress.age(name) > limit.getAsLong();
            Problems problems = new Problems();
            request(name, () -> {
                if (step.step().action() == Action.WAIT) {
                    waitFor(step, problems);
                } else if (!isLate || jobs.hasBegun(name)) { // it may have ended while nobody has looked
                    carryOut(step, problems);
                }
            });
            if (!problems.isEmpty()) {
                progress.fails(name, problems.text());
            }
            if (isLate && !progress.hasEnded(name)) {
                request(name, () -> {
                    jobs.stop(name);
                    progress.fails(
                            name,
                            "it has taken longer than " + limit.getAsLong() + " s: "
                                    + Objects.requireNonNullElse(
                                            progress.of(name).message(), ""));
                });
            }
        }

        private void request(String step, Runnable requests) {
            try {
                requests.run();
            } catch (KubernetesClientException failure) {
                if (failure.getCode() == UNPROCESSABLE || failure.getCode() == HttpURLConnection.HTTP_BAD_REQUEST) {
                    progress.fails(step, ApiFailure.reason(failure));
                } else {
                    refused = Objects.requireNonNullElse(refused, failure);
                }
            }
        }

        private void waitFor(CheckedStep step, Problems problems) {
            String waitsFor = rendering.waitsFor(step, problems);
            if (waitsFor.isEmpty()) {
                progress.succeeds(step.step().name());
            } else {
                progress.runs(step.step().name(), waitsFor, null);
            }
        }

        private void carryOut(CheckedStep step, Problems problems) {
            String name = step.step().name();
            if (step.step().action() == Action.JOB && jobs.hasBegun(name)) {
                jobs.follow(name); // what its template comes to may have changed since
                return;
            }
            StepObject made = rendering.object(step, problems);
            if (made.object().isEmpty()) {
                progress.runs(name, made.waitsFor(), null);
                return;
            }
            ObjectNode object = made.object().get();
            switch (step.step().action()) {
                case APPLY -> objects.apply(step, object);
                case PATCH -> objects.patch(step, object);
                case DELETE -> looks |= objects.delete(step, object);
                default -> jobs.begin(name, object);
            }
        }
    }
}

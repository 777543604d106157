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
import io.busbar.blueprint.v1alpha1.BlueprintRunStatus.State;
import io.busbar.common.MetadataKey;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.watch.Index;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a plan, step by step. What a step does can be done again, or is known to have been done by what the API
 * server has and the status says: a Job has the name of its run and step, and what is to be deleted is noted by its uid
 * before. So a process that is killed anywhere is followed by one that goes on.
 */
final class RunReconciler implements Reconciler<BlueprintRun> {

    /** Files objects under the uids of their owners. */
    static final Index<GenericKubernetesResource> BY_OWNER = Index.ofMetadata(
            "blueprint.owners",
            object -> object.getMetadata().getOwnerReferences() == null
                    ? List.of()
                    : object.getMetadata().getOwnerReferences().stream()
                            .map(OwnerReference::getUid)
                            .toList());

    static final MetadataKey JOB = MetadataKey.label(
            "blueprints.busbar.io/run",
            "a Job of a plan",
            "the step that it is of; by it Jobs of plans are told from others");

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);
    /** Where nothing but Jobs is waited for, whose changes are told. */
    private static final Duration LOOK_AT_TIMEOUTS = Duration.ofSeconds(30);

    private static final int LONGEST_NAME = 63;
    private static final int UNPROCESSABLE = 422;

    private final CheckedBlueprint blueprint;
    private final Renderer renderer;
    private final Class<? extends GenericKubernetesResource> instances;
    private final Set<Class<? extends GenericKubernetesResource>> owned;
    private final Map<String, Class<? extends GenericKubernetesResource>> read;
    private final KubernetesSerialization serialization;
    private final InstantSource clock;

    /**
     * @param owned the kinds of resources that are made
     * @param read by apiVersion and kind, of what is external
     */
    RunReconciler(
            CheckedBlueprint blueprint,
            Class<? extends GenericKubernetesResource> instances,
            Set<Class<? extends GenericKubernetesResource>> owned,
            Map<String, Class<? extends GenericKubernetesResource>> read,
            KubernetesSerialization serialization,
            InstantSource clock) {
        this.blueprint = blueprint;
        this.renderer = new Renderer(blueprint);
        this.instances = instances;
        this.owned = Set.copyOf(owned);
        this.read = Map.copyOf(read);
        this.serialization = serialization;
        this.clock = clock;
    }

    /** The name of the controller of runs, and of the manager of what they apply. */
    static String name(CheckedBlueprint blueprint) {
        InstanceSchema schema = blueprint.blueprint().schema();
        return "runs." + schema.plural() + "." + schema.group();
    }

    @Override
    public ReconcileResult reconcile(BlueprintRun run, ReconcileContext<BlueprintRun> context) {
        if (!isOfThisKind(run.getSpec())) {
            return ReconcileResult.awaitChange();
        }
        Optional<CheckedPlan> found = plan(run);
        RunProgress progress = progress(run);
        if (progress.isOver()) {
            return ReconcileResult.awaitChange();
        }
        if (found.isEmpty()) {
            context.status(progress.told(RunProgress.FAILED, noPlan(run)));
            return ReconcileResult.awaitChange();
        }
        if (Boolean.TRUE.equals(run.getSpec().cancel())) {
            context.owned(Job.class).stream().filter(job -> !hasEnded(job)).forEach(context::delete);
            context.status(progress.cancelled());
            return ReconcileResult.awaitChange();
        }
        Optional<? extends GenericKubernetesResource> instance =
                context.lister(instances).get(key(run));
        if (instance.isEmpty()) {
            BlueprintRunSpec.Instance named = run.getSpec().instance();
            context.status(
                    progress.told(RunProgress.RUNNING, "the " + named.kind() + " '" + named.name() + "' is not there"));
            return ReconcileResult.requeueAfter(LOOK_AGAIN);
        }
        Turn turn = new Turn(run, instance.get(), progress, context);
        turn.advance(found.get());
        BlueprintRun told = progress.told();
        context.status(told);
        return told.getStatus().completionTime() == null
                ? ReconcileResult.requeueAfter(turn.looks ? LOOK_AGAIN : LOOK_AT_TIMEOUTS)
                : ReconcileResult.awaitChange();
    }

    private boolean isOfThisKind(@Nullable BlueprintRunSpec spec) {
        InstanceSchema schema = blueprint.blueprint().schema();
        return spec != null
                && spec.instance().kind().equals(schema.kind())
                && spec.instance().apiVersion().equals(schema.apiVersion());
    }

    private Optional<CheckedPlan> plan(BlueprintRun run) {
        return blueprint.plans().stream()
                .filter(plan -> plan.plan().name().equals(run.getSpec().plan()))
                .findFirst();
    }

    private RunProgress progress(BlueprintRun run) {
        Plan plan = plan(run)
                .map(CheckedPlan::plan)
                .orElseGet(() -> new Plan(run.getSpec().plan(), Optional.empty(), Map.of(), List.of()));
        return new RunProgress(run, plan, clock.instant());
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
        if (!isOfThisKind(run.getSpec())) {
            return Optional.empty();
        }
        return Optional.of(progress(run).told(RunProgress.RUNNING, ApiFailure.reason(failure)));
    }

    private JsonNode json(Object object) {
        return serialization.convertValue(object, JsonNode.class);
    }

    private static boolean hasEnded(Job job) {
        return told(job, "Complete").isPresent() || told(job, "Failed").isPresent();
    }

    /** The message of a condition that is true. */
    private static Optional<String> told(Job job, String condition) {
        return job.getStatus() == null || job.getStatus().getConditions() == null
                ? Optional.empty()
                : job.getStatus().getConditions().stream()
                        .filter(one -> one.getType().equals(condition) && "True".equals(one.getStatus()))
                        .map(one -> Objects.requireNonNullElse(one.getMessage(), ""))
                        .findFirst();
    }

    /** One reconcile of a run that goes on. */
    private final class Turn {

        private final BlueprintRun run;
        private final GenericKubernetesResource instance;
        private final RunProgress progress;
        private final ReconcileContext<BlueprintRun> context;
        private final PlanRendering rendering;
        /** Whether something is waited for that nobody tells of. */
        private boolean looks;

        Turn(
                BlueprintRun run,
                GenericKubernetesResource instance,
                RunProgress progress,
                ReconcileContext<BlueprintRun> context) {
            this.run = run;
            this.instance = instance;
            this.progress = progress;
            this.context = context;
            List<GenericKubernetesResource> its = new ArrayList<>();
            owned.forEach(type -> its.addAll(ownedBy(type)));
            this.rendering = renderer.plan(
                    SourceNode.of(json(instance)),
                    new ClusterObjects(context, its, read, new Reads(), RunReconciler.this::json),
                    variable());
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
            boolean told =
                    step.step().action() == Action.JOB && progress.of(name).object() != null;
            looks |= progress.of(name).state() == State.Running && !told;
        }

        private void carryOnWith(CheckedStep step) {
            String name = step.step().name();
            OptionalLong limit = step.step().timeoutSeconds();
            if (limit.isPresent() && progress.age(name) > limit.getAsLong()) {
                jobOf(name).filter(job -> !hasEnded(job)).ifPresent(context::delete);
                progress.fails(
                        name,
                        "it has taken longer than " + limit.getAsLong() + " s: "
                                + Objects.requireNonNullElse(progress.of(name).message(), ""));
                return;
            }
            Problems problems = new Problems();
            try {
                if (step.step().action() == Action.WAIT) {
                    String waitsFor = rendering.waitsFor(step, problems);
                    if (waitsFor.isEmpty()) {
                        progress.succeeds(name);
                    } else {
                        progress.runs(name, waitsFor, null);
                    }
                } else {
                    carryOut(step, problems);
                }
            } catch (KubernetesClientException refused) {
                if (refused.getCode() != UNPROCESSABLE && refused.getCode() != HttpURLConnection.HTTP_BAD_REQUEST) {
                    throw refused;
                }
                progress.fails(name, ApiFailure.reason(refused));
            }
            if (!problems.isEmpty()) {
                progress.fails(name, problems.text());
            }
        }

        private void carryOut(CheckedStep step, Problems problems) {
            String name = step.step().name();
            if (step.step().action() == Action.JOB && hasBegun(name)) {
                follow(name); // what its template comes to may have changed since
                return;
            }
            StepObject made = rendering.object(step, problems);
            if (made.object().isEmpty()) {
                progress.runs(name, made.waitsFor(), null);
                return;
            }
            ObjectNode object = made.object().get();
            switch (step.step().action()) {
                case APPLY -> apply(step, object);
                case PATCH -> patch(step, object);
                case DELETE -> delete(step, object);
                default -> begin(name, object);
            }
        }

        private Resource<GenericKubernetesResource> resource(CheckedStep step, ObjectNode object) {
            ResourceType type = step.type().orElseThrow();
            var all = context.client().genericKubernetesResources(type.clientContext());
            JsonNode metadata = object.path("metadata");
            return type.namespaced()
                    ? all.inNamespace(metadata.path("namespace").asText())
                            .withName(metadata.path("name").asText())
                    : all.withName(metadata.path("name").asText());
        }

        /** It goes with the instance where it can, not with the run. */
        private void apply(CheckedStep step, ObjectNode object) {
            ObjectNode metadata = object.withObjectProperty("metadata");
            String own = Objects.requireNonNullElse(instance.getMetadata().getNamespace(), "");
            if (!metadata.has("ownerReferences")
                    && (own.isEmpty() || own.equals(metadata.path("namespace").asText()))) {
                metadata.putArray("ownerReferences")
                        .add(json(new OwnerReferenceBuilder()
                                .withApiVersion(instance.getApiVersion())
                                .withKind(instance.getKind())
                                .withName(instance.getMetadata().getName())
                                .withUid(instance.getMetadata().getUid())
                                .build()));
            }
            PatchContext how = new PatchContext.Builder()
                    .withPatchType(PatchType.SERVER_SIDE_APPLY)
                    .withFieldManager(name(blueprint))
                    .withForce(true)
                    .build();
            resource(step, object).patch(how, serialization.convertValue(object, GenericKubernetesResource.class));
            progress.succeeds(step.step().name());
        }

        private void patch(CheckedStep step, ObjectNode object) {
            try {
                resource(step, object).patch(PatchContext.of(PatchType.JSON_MERGE), object.toString());
                progress.succeeds(step.step().name());
            } catch (KubernetesClientException refused) {
                if (refused.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                    throw refused;
                }
                progress.fails(step.step().name(), shown(object) + " is not there");
            }
        }

        private void delete(CheckedStep step, ObjectNode object) {
            String name = step.step().name();
            Resource<GenericKubernetesResource> resource = resource(step, object);
            GenericKubernetesResource there = resource.get();
            String noted = progress.of(name).object();
            if (there == null || (noted != null && !there.getMetadata().getUid().equals(noted))) {
                progress.succeeds(name);
                return;
            }
            progress.runs(
                    name,
                    shown(object) + " is not gone yet",
                    there.getMetadata().getUid());
            if (there.getMetadata().getDeletionTimestamp() == null) {
                context.status(progress.told()); // so that another one of its name is left alone after a restart
                resource.lockResourceVersion(there.getMetadata().getResourceVersion())
                        .delete();
            }
        }

        private static String shown(ObjectNode object) {
            return "the " + object.path("kind").asText() + " '"
                    + object.path("metadata").path("name").asText() + "'";
        }

        private void begin(String step, ObjectNode template) {
            Job job = serialization.convertValue(template, Job.class);
            job.getMetadata().setName(jobName(step));
            Map<String, String> labels =
                    new HashMap<>(Objects.requireNonNullElse(job.getMetadata().getLabels(), Map.of()));
            labels.put(JOB.name(), step);
            job.getMetadata().setLabels(labels);
            try {
                Job created = context.create(job);
                progress.runs(
                        step,
                        "the Job '" + jobName(step) + "' runs",
                        created.getMetadata().getUid());
            } catch (KubernetesClientException refused) {
                if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw refused;
                }
                progress.runs(
                        step, "there is a Job '" + jobName(step) + "' that is not this run's, or not seen yet", null);
            }
        }

        private boolean hasBegun(String step) {
            return progress.of(step).object() != null || jobOf(step).isPresent();
        }

        private void follow(String step) {
            Optional<Job> job = jobOf(step);
            if (job.isEmpty()) {
                progress.fails(step, "its Job has gone");
                return;
            }
            progress.runs(
                    step,
                    "the Job '" + jobName(step) + "' runs",
                    job.get().getMetadata().getUid());
            if (told(job.get(), "Complete").isPresent()) {
                progress.succeeds(step);
            }
            told(job.get(), "Failed")
                    .ifPresent(why -> progress.fails(step, "the Job '" + jobName(step) + "' has failed: " + why));
        }

        private Optional<Job> jobOf(String step) {
            return context.owned(Job.class).stream()
                    .filter(job -> job.getMetadata().getName().equals(jobName(step)))
                    .findFirst();
        }

        /** Another one for each attempt. */
        private String jobName(String step) {
            int attempt = RunProgress.attempt(run.getSpec());
            String ending = "-" + step + (attempt == 1 ? "" : "-" + attempt);
            String own = run.getMetadata().getName().replace('.', '-');
            return Names.fitting(own, ending, LONGEST_NAME);
        }
    }
}

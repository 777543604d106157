package io.busbar.blueprint.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.busbar.blueprint.Plan;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.check.CheckedPlan;
import io.busbar.blueprint.render.Rendering.PlanCall;
import io.busbar.blueprint.render.Rendering.PlanQuestion;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.blueprint.v1alpha1.BlueprintRunSpec;
import io.busbar.blueprint.v1alpha1.BlueprintRunStatus.State;
import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Has the plans of one instance begin that begin by themselves, one after the other: a plan begins when its trigger
 * begins to hold, when it holds after the spec has changed, and when it goes on holding with other parameters.
 *
 * <p>What is decided is written to the status first, and a run is named by its number: a process that is killed between
 * the two is followed by one that makes no second run. One thread.
 */
final class OwnPlans {

    private static final JsonNode NOTHING = JsonNodeFactory.instance.objectNode();
    private static final int LONGEST_NAME = 253;
    private static final int MOST_KEPT = 10;
    private static final Pattern NUMBERED = Pattern.compile("(?<name>.*)-(?<number>[0-9]{1,9})");

    private final CheckedBlueprint blueprint;
    private final GenericKubernetesResource instance;
    private final JsonNode spec;
    /** Whether nobody has decided yet what a new instance needs. */
    private final boolean fresh;

    private final ReconcileContext<?> context;
    private PlanMemory memory;
    /** Whether it was asked about plans: a run may end after that, and what was not asked is not answered. */
    private boolean asked;

    /**
     * @param instance as it is stored
     * @param json the same
     * @param memory what its status says
     */
    OwnPlans(
            CheckedBlueprint blueprint,
            GenericKubernetesResource instance,
            JsonNode json,
            Optional<PlanMemory> memory,
            ReconcileContext<?> context) {
        this.blueprint = blueprint;
        this.instance = instance;
        this.spec = json.path("spec").isObject() ? json.path("spec") : NOTHING;
        boolean unseen = json.at("/status/observedGeneration").asLong() == 0;
        this.fresh = memory.map(known -> known.spec() == null).orElse(unseen);
        this.context = context;
        this.memory = memory.orElseGet(() -> PlanMemory.EMPTY.after(highestNumber()));
    }

    /** The number of its last run, of which the status says nothing after a revision without plans; 0 for none. */
    private long highestNumber() {
        return blueprint.keepsPlans()
                ? context.owned(BlueprintRun.class).stream()
                        .mapToLong(OwnPlans::numberOf)
                        .max()
                        .orElse(0)
                : 0;
    }

    private static long numberOf(BlueprintRun run) {
        Matcher numbered = NUMBERED.matcher(run.getMetadata().getName());
        return numbered.matches()
                        && numbered.group("name").endsWith("-" + run.getSpec().plan())
                ? Long.parseLong(numbered.group("number"))
                : 0;
    }

    /** What the status is to keep; empty for nothing. */
    Optional<PlanMemory> memory() {
        boolean old = memory.spec() == null && !fresh && !memory.deleted();
        return old || !blueprint.keepsPlans() ? Optional.empty() : Optional.of(memory);
    }

    /** Not while a run is under way; after one that has failed, only once the spec has changed. */
    private boolean mayDecide() {
        return blueprint.keepsPlans() // also where it has a last plan alone: it may gain others
                && !isBusy()
                && (hasFailed() ? hasChanged() : memory.next().isEmpty());
    }

    private boolean hasChanged() {
        return memory.spec() != null && !memory.isOf(spec);
    }

    /** What is to be asked about plans in this reconcile. */
    PlanQuestion question() {
        asked = mayDecide();
        if (!asked) {
            return PlanQuestion.NONE;
        }
        if (fresh && blueprint.hasPlan(Plan.DEPLOY)) {
            return new PlanQuestion(Set.of(Plan.DEPLOY), spec);
        }
        JsonNode old = hasChanged() ? Objects.requireNonNull(memory.spec()) : spec;
        Set<String> plans = blueprint.plans().stream()
                .filter(plan -> plan.trigger().isPresent() || (plan.name().equals(Plan.UPDATE) && hasChanged()))
                .map(CheckedPlan::name)
                .collect(Collectors.toSet());
        return new PlanQuestion(plans, old);
    }

    /** @param called what the question has come to */
    void decide(PlanQuestion question, List<PlanCall> called) {
        if (!asked || isBusy()) {
            return;
        }
        if (fresh && question.plans().contains(Plan.DEPLOY)) {
            memory = memory.decided(spec, called, Map.of());
            return;
        }
        Optional<BlueprintRun> failed = last().filter(OwnPlans::hasFailed);
        Set<PlanCall> toBegin = new LinkedHashSet<>();
        Stream.concat(failed.map(OwnPlans::callOf).stream(), memory.next().stream())
                .filter(left -> blueprint.hasPlan(left.plan())
                        && called.stream().noneMatch(one -> one.plan().equals(left.plan())))
                .forEach(toBegin::add);
        boolean changed = hasChanged();
        Map<String, Map<String, String>> holding = new HashMap<>();
        for (PlanCall call : called) {
            if (changed || !call.parameters().equals(memory.holding().get(call.plan()))) {
                toBegin.add(call);
            }
            holding.put(call.plan(), call.parameters());
        }
        memory = (failed.isPresent() ? memory.withoutRun() : memory).decided(spec, List.copyOf(toBegin), holding);
    }

    /** Whether a run is to be made now. */
    boolean hasNext() {
        return !memory.next().isEmpty() && !isBusy() && !hasFailed();
    }

    /** The plan that is next; empty for none. */
    Optional<String> next() {
        return memory.next().stream().map(PlanCall::plan).findFirst();
    }

    /** Makes the run that is next, and takes away old ones. The status has to say before that it is next. */
    void begin() {
        PlanCall call = memory.next().get(0);
        BlueprintRun begun = unnoted(call).orElseGet(() -> made(call));
        String name = begun.getMetadata().getName();
        memory = memory.begun(name, numberOf(begun));
        List<BlueprintRun> ended = context.owned(BlueprintRun.class).stream()
                .filter(run -> !isActive(run) && !run.getMetadata().getName().equals(name))
                .sorted(Comparator.comparing(
                        (BlueprintRun run) -> run.getMetadata().getCreationTimestamp()))
                .toList();
        ended.stream().limit(Math.max(0, ended.size() + 1 - MOST_KEPT)).forEach(context::delete);
    }

    /** One that a process has made that was killed before it could note it: it may have passed over other numbers. */
    private Optional<BlueprintRun> unnoted(PlanCall call) {
        return context.owned(BlueprintRun.class).stream()
                .filter(run -> numberOf(run) > memory.begun() && isAbout(run))
                .filter(run -> callOf(run).equals(call))
                .findFirst();
    }

    /** Of the next number: there is no kind in names, and so the run of another instance may have that one already. */
    private BlueprintRun made(PlanCall call) {
        Optional<BlueprintRun> made = Optional.empty();
        for (long number = memory.begun() + 1; made.isEmpty(); number++) {
            String ending = "-" + call.plan() + "-" + number;
            made = make(Names.fitting(instance.getMetadata().getName(), ending, LONGEST_NAME), call, true);
        }
        return made.get();
    }

    private BlueprintRun run(String name, PlanCall call) {
        BlueprintRun run = new BlueprintRun();
        run.setMetadata(new ObjectMetaBuilder()
                .withNamespace(instance.getMetadata().getNamespace())
                .withName(name)
                .addToAnnotations(
                        RunReconciler.ABOUT.name(), instance.getMetadata().getUid())
                .build());
        run.setSpec(new BlueprintRunSpec(
                new BlueprintRunSpec.Instance(
                        instance.getApiVersion(),
                        instance.getKind(),
                        instance.getMetadata().getName()),
                call.plan(),
                call.parameters(),
                null,
                null));
        return run;
    }

    /**
     * Makes a run, unless it is there.
     *
     * @param owned whether it goes with the instance
     * @return empty where another instance has one of that name
     * @throws KubernetesClientException also where one of that name is to do something else
     */
    private Optional<BlueprintRun> make(String name, PlanCall call, boolean owned) {
        BlueprintRun run = run(name, call);
        try {
            return Optional.of(
                    owned
                            ? context.create(run)
                            : context.remember(context.client().resource(run).create()));
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw refused;
            }
            BlueprintRun there = context.live(BlueprintRun.class, key(name)).orElseThrow(() -> refused);
            if (owned && !(isOwned(there) && isAbout(there))) {
                return Optional.empty();
            }
            if (!isAbout(there) || !callOf(there).equals(call)) {
                throw refused;
            }
            return Optional.of(context.remember(there));
        }
    }

    private boolean isOwned(BlueprintRun run) {
        String uid = instance.getMetadata().getUid();
        return run.getMetadata().getOwnerReferences().stream()
                .map(OwnerReference::getUid)
                .anyMatch(uid::equals);
    }

    private ObjectKey key(String run) {
        return ObjectKey.of(instance.getMetadata().getNamespace(), run);
    }

    /** What keeps the instance from being ready; empty for nothing. */
    Optional<BlueprintRun> unfinished() {
        return last().filter(run -> isActive(run) || !hasSucceeded(run));
    }

    /** Whether a run has ended, and not well. */
    static boolean hasFailed(BlueprintRun run) {
        return !isActive(run) && !hasSucceeded(run);
    }

    private boolean isBusy() {
        return last().filter(OwnPlans::isActive).isPresent();
    }

    private boolean hasFailed() {
        return last().filter(OwnPlans::hasFailed).isPresent();
    }

    /** The run that has begun last; empty also where somebody has deleted it. */
    private Optional<BlueprintRun> last() {
        if (memory.run().isEmpty()) {
            return Optional.empty();
        }
        return context.owned(BlueprintRun.class).stream()
                .filter(run -> run.getMetadata().getName().equals(memory.run()))
                .findFirst();
    }

    /** Whether a run has not ended, or has been asked to go on. */
    static boolean isActive(BlueprintRun run) {
        return run.getStatus() == null
                || run.getStatus().completionTime() == null
                || run.getStatus().attempt() < RunProgress.attempt(run.getSpec());
    }

    private static boolean hasSucceeded(BlueprintRun run) {
        return run.getStatus() != null
                && State.Succeeded.name().equals(run.getStatus().phase());
    }

    private static boolean wasCancelled(BlueprintRun run) {
        return run.getStatus() != null
                && State.Cancelled.name().equals(run.getStatus().phase());
    }

    private static PlanCall callOf(BlueprintRun run) {
        return new PlanCall(
                run.getSpec().plan(), Objects.requireNonNullElse(run.getSpec().parameters(), Map.of()));
    }

    /** How far the plan before the instance goes has come. */
    enum Leave {
        /** There is nothing more to do. */
        DONE,
        /** It is under way, or has failed. */
        WAITS,
        /** What its run is to be given is not known. */
        UNKNOWN,
        /** It has succeeded, or somebody has cancelled it, and the status has to say so next. */
        TO_TELL
    }

    /**
     * Carries on with the plan before the instance goes. Its run is not the instance's: a deletion in the foreground
     * would take it away before the instance.
     *
     * @param call of the plan, asked for where its run is to be made alone: the plan may take away what that is made of;
     *     empty where it is not known
     */
    Leave leave(Supplier<Optional<PlanCall>> call) {
        List<BlueprintRun> active = context.owned(BlueprintRun.class).stream()
                .filter(OwnPlans::isActive)
                .toList();
        active.stream().filter(run -> !run.isMarkedForDeletion()).forEach(this::end);
        Optional<BlueprintRun> run = leaving();
        if (memory.deleted()) {
            run.ifPresent(context::delete);
            return Leave.DONE;
        }
        if (run.isEmpty()) {
            if (!active.isEmpty()) {
                return Leave.WAITS;
            }
            return beginToLeave(call.get());
        }
        if (isActive(run.get()) || !(hasSucceeded(run.get()) || wasCancelled(run.get()))) {
            return Leave.WAITS;
        }
        memory = memory.asDeleted();
        return Leave.TO_TELL;
    }

    /** It is there until its Jobs have gone with their Pods, which may write what the last plan looks at. */
    private void end(BlueprintRun run) {
        context.client()
                .resource(run)
                .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                .delete();
    }

    private Leave beginToLeave(Optional<PlanCall> call) {
        try {
            if (call.isEmpty()) {
                tryToMake(run(leavingName(), new PlanCall(Plan.DELETE, Map.of())));
                return Leave.UNKNOWN;
            }
            make(leavingName(), call.get(), false);
            return Leave.WAITS;
        } catch (KubernetesClientException refused) {
            if (ApiFailure.isOfEndingNamespace(refused)) {
                return Leave.DONE;
            }
            throw refused;
        }
    }

    /** Makes no run: it needs no right more than that would to come to know whether one can be made. */
    private void tryToMake(BlueprintRun run) {
        context.client().resource(run).dryRun().create();
    }

    /** The run of the plan before the instance goes, whoever has made it. */
    Optional<BlueprintRun> leaving() {
        return context.lister(BlueprintRun.class).get(key(leavingName())).filter(this::isOfLastPlan);
    }

    private boolean isOfLastPlan(BlueprintRun run) {
        return isAbout(run) && run.getSpec().plan().equals(Plan.DELETE);
    }

    private boolean isAbout(BlueprintRun run) {
        return InstanceKind.of(instance).isOf(run)
                && run.getSpec().instance().name().equals(instance.getMetadata().getName());
    }

    /** What that run is called. */
    String leavingName() {
        String uid = instance.getMetadata().getUid();
        return Names.fitting(
                instance.getMetadata().getName(),
                "-" + Plan.DELETE + "-" + uid.substring(0, Math.min(8, uid.length())),
                LONGEST_NAME);
    }
}

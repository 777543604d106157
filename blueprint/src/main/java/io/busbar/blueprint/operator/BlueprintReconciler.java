package io.busbar.blueprint.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.definition.Definition;
import io.busbar.blueprint.operator.BlueprintRules.Checked;
import io.busbar.blueprint.render.Renderer;
import io.busbar.blueprint.run.LostRuns;
import io.busbar.blueprint.run.Pages;
import io.busbar.blueprint.run.Revision;
import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.v1alpha1.BlueprintSpec;
import io.busbar.blueprint.v1alpha1.BlueprintStatus;
import io.busbar.blueprint.v1alpha1.StoredBlueprint;
import io.busbar.common.MetadataKey;
import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.bundle.Account;
import io.busbar.runtime.bundle.Guests;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a Blueprint run: defines its kind, and starts a controller for it. One that is not fit changes nothing: what ran
 * of it before goes on, also after a restart.
 *
 * <p>A definition has no owner: the API server would delete it with the Blueprint, and with it all instances and what
 * they are made of. A label says whose it is.
 */
final class BlueprintReconciler implements Reconciler<StoredBlueprint> {

    private static final Logger log = LoggerFactory.getLogger(BlueprintReconciler.class);

    static final MetadataKey OWNER = MetadataKey.label(
            "blueprints.busbar.io/blueprint",
            "a definition and a ControllerRevision",
            "of which Blueprint it is; a definition without it is left alone, and set by you it has the Blueprint take"
                    + " over what is there");
    static final MetadataKey DEFINITION = MetadataKey.label(
            "blueprints.busbar.io/definition",
            "a definition that was made of a Blueprint",
            "a hash of what was made, by which a change is told");

    private static final String TYPE = "Ready";
    private static final ConditionReason RUNNING =
            ConditionReason.ofTrue(TYPE, "Running", "the kind is defined, and its instances are reconciled");
    private static final ConditionReason STARTING = ConditionReason.ofFalse(
            TYPE,
            "Starting",
            "something is not listed yet; the message says what, and why, such as for want of a right");
    private static final ConditionReason INVALID = ConditionReason.ofFalse(
            TYPE, "Invalid", "the Blueprint cannot work; the message has the fields. What ran of it before goes on");
    private static final ConditionReason BREAKS_INSTANCES = ConditionReason.ofFalse(
            TYPE,
            "BreaksInstances",
            "there are instances that do not fit the new schema; the message has some. What ran before goes on");
    private static final ConditionReason REFUSED = ConditionReason.ofFalse(
            TYPE, "Refused", "the API server refuses a write; it is tried again with a growing pause");

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
    private static final int MOST_TOLD = 3;
    private static final int MOST_EARLIER = 3;
    private static final BlueprintSpec.Rollout NONE_MOVES = new BlueprintSpec.Rollout(true, null, null);

    private final BlueprintFlags flags;
    private final String accounts;
    private final Revisions revisions;
    private final RunningBlueprints running;
    private final KubernetesSerialization serialization;
    private final InstantSource clock;
    /** Why runs of plans that a Blueprint has no more could not be ended when it began to run, by its name. */
    private final Map<String, String> leftRuns = new ConcurrentHashMap<>();

    private final Looks looks;
    private final LookPauses pauses;
    private final UnservedNotices notices;

    /** @param accounts the namespace of ServiceAccounts */
    BlueprintReconciler(
            BlueprintFlags flags,
            String accounts,
            Revisions revisions,
            RunningBlueprints running,
            KubernetesSerialization serialization,
            InstantSource clock,
            Looks looks) {
        this.flags = flags;
        this.accounts = accounts;
        this.revisions = revisions;
        this.running = running;
        this.serialization = serialization;
        this.clock = clock;
        this.looks = looks;
        this.pauses = new LookPauses(clock, looks.atInstances());
        this.notices = new UnservedNotices(pauses, clock);
    }

    @Override
    public ReconcileResult reconcile(StoredBlueprint primary, ReconcileContext<StoredBlueprint> context)
            throws Exception {
        Checked checked = check(primary, context);
        if (checked.fit().isEmpty()) {
            return goOn(
                    primary,
                    checked.account(),
                    context,
                    INVALID,
                    checked.problems().text());
        }
        CheckedBlueprint fit = checked.fit().get();
        Account account = new Account(accounts, checked.account());
        CustomResourceDefinition desired = definition(primary, fit);
        Optional<CustomResourceDefinition> there = context.lister(CustomResourceDefinition.class)
                .get(ObjectKey.of(desired.getMetadata().getName()));
        String broken = "";
        CustomResourceDefinition defined = desired;
        try {
            if (there.isPresent() && changes(desired, there.get())) {
                broken = broken(fit, account.impersonated(context.client().getConfiguration()));
            }
            if (broken.isEmpty()) {
                defined = define(primary, desired, there, context);
            }
        } catch (KubernetesClientException refused) {
            goOn(primary, checked.account(), context, REFUSED, ApiFailure.reason(refused));
            return ReconcileResult.requeue();
        }
        if (!broken.isEmpty()) {
            goOn(primary, checked.account(), context, BREAKS_INSTANCES, broken);
            return ReconcileResult.requeueAfter(looks.atInstances());
        }
        if (!Installation.isEstablished(defined)) {
            context.status(withStatus(primary, defined, null, STARTING, "its kind is not served yet"));
            return ReconcileResult.requeueAfter(looks.atStart()); // its definition changes before
        }
        Revisions.Kept kept = revisions.keep(primary, context);
        Config own = context.client().getConfiguration();
        Guests.State state = running.run(
                primary.getMetadata().getName(),
                new Revision(kept.name(), fit),
                () -> {
                    endLostRuns(fit, kept, account.impersonated(own), context);
                    return earlier(fit, kept, context);
                },
                account,
                own);
        long revision = kept.number();
        context.status(
                state.works()
                        ? withStatus(primary, defined, revision, RUNNING, running(primary, account))
                        : withStatus(primary, defined, revision, STARTING, state.waitsFor()));
        return lookAgain(primary, state, account, context);
    }

    private String running(StoredBlueprint primary, Account account) {
        String left = leftRuns.get(primary.getMetadata().getName());
        return "instances are reconciled as " + account
                + (left == null ? "" : "; there are runs of plans that it has no more: " + left);
    }

    /** A Blueprint without plans has no controller of runs: what is left of plans that it had is ended before. */
    private void endLostRuns(
            CheckedBlueprint fit, Revisions.Kept newest, Config account, ReconcileContext<StoredBlueprint> context) {
        String name = newest.blueprint().getMetadata().getName();
        leftRuns.remove(name);
        boolean hadPlans = revisions.before(newest.blueprint(), context).stream()
                .filter(kept -> kept.number() < newest.number())
                .map(kept -> kept.blueprint().getSpec().plans())
                .anyMatch(plans -> plans != null && !plans.isEmpty());
        if (!hadPlans || !fit.plans().isEmpty()) {
            return;
        }
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(account).build()) {
            new LostRuns(client, fit.blueprint().schema(), clock).end();
        } catch (KubernetesClientException refused) { // the account may have lost the rights that only plans need
            leftRuns.put(name, ApiFailure.reason(refused));
            log.atWarn()
                    .addKeyValue("blueprint", name)
                    .addKeyValue("error", ApiFailure.reason(refused))
                    .log("could not end all runs of plans that the Blueprint has no more: these stay as they are");
        }
    }

    /** Revisions that instances may still have: those that are fit, and need nothing that the newest does not. */
    private List<Revision> earlier(
            CheckedBlueprint fitNewest, Revisions.Kept newest, ReconcileContext<StoredBlueprint> context) {
        return revisions.before(newest.blueprint(), context).stream()
                .filter(kept -> kept.number() < newest.number())
                .limit(MOST_EARLIER)
                .flatMap(kept -> check(kept.blueprint(), context)
                        .fit()
                        .map(fit -> new Revision(kept.name(), fit))
                        .filter(revision -> revision.mayGoOnBeside(new Revision(newest.name(), fitNewest)))
                        .stream())
                .toList();
    }

    /** @param guest the Blueprint, as the revision has it whose state it is */
    private ReconcileResult lookAgain(
            StoredBlueprint guest, Guests.State state, Account account, ReconcileContext<StoredBlueprint> context) {
        if (state.works()) {
            pauses.runs(guest.getMetadata().getName());
            return ReconcileResult.awaitChange();
        }
        if (!state.waitsFor().contains(": ")) {
            return ReconcileResult.requeueAfter(LOOK_AGAIN);
        }
        notices.tellOfStart(guest, state.waitsFor(), account, context);
        return ReconcileResult.requeueAfter(looks.atStart());
    }

    private Checked check(StoredBlueprint blueprint, ReconcileContext<StoredBlueprint> context) {
        ClusterTypes types = new ClusterTypes(context.lister(CustomResourceDefinition.class), serialization);
        return new BlueprintRules(types, serialization, flags).check(blueprint);
    }

    /**
     * Has the last revision that is fit go on, and tells why that is not the newest spec.
     *
     * @param accountNow of the newest spec
     */
    private ReconcileResult goOn(
            StoredBlueprint primary,
            String accountNow,
            ReconcileContext<StoredBlueprint> context,
            ConditionReason reason,
            String why)
            throws Exception {
        for (Revisions.Kept kept : revisions.before(primary, context)) {
            Checked checked = checkWithRollout(kept, primary, context);
            Optional<CheckedBlueprint> fit = checked.fit();
            if (fit.isPresent() && isDefined(fit.get().blueprint().schema(), context)) {
                Account account = new Account(accounts, checked.account());
                Guests.State state = running.run(
                        primary.getMetadata().getName(),
                        new Revision(kept.name(), fit.get()),
                        () -> earlier(fit.get(), kept, context),
                        account,
                        context.client().getConfiguration());
                String goesOn = "; revision " + kept.number() + (state.works() ? " goes on" : " starts");
                context.status(withStatus(primary, null, kept.number(), reason, why + goesOn));
                return lookAgain(kept.blueprint(), state, account, context);
            }
        }
        running.end(primary.getMetadata().getName());
        pauses.startsNoMore(primary.getMetadata().getName());
        context.status(withStatus(primary, null, null, reason, why));
        return notices.tell(primary, why, new Account(accounts, accountNow), context)
                .map(ReconcileResult::requeueAfter)
                .orElseGet(ReconcileResult::awaitChange);
    }

    /** What a revision keeps says nothing of its rollout; where nobody can read that of now, no instance moves. */
    private Checked checkWithRollout(
            Revisions.Kept kept, StoredBlueprint primary, ReconcileContext<StoredBlueprint> context) {
        BlueprintSpec spec = kept.blueprint().getSpec();
        Checked asSaid =
                check(primary.withSpec(spec.withRollout(primary.getSpec().rollout())), context);
        return asSaid.fit().isPresent() ? asSaid : check(primary.withSpec(spec.withRollout(NONE_MOVES)), context);
    }

    private static boolean isDefined(InstanceSchema schema, ReconcileContext<StoredBlueprint> context) {
        return context.lister(CustomResourceDefinition.class)
                .get(ObjectKey.of(schema.plural() + "." + schema.group()))
                .isPresent();
    }

    /** What is defined, and whatever runs, stays for who makes the Blueprint anew. */
    @Override
    public CleanupResult cleanup(StoredBlueprint primary, ReconcileContext<StoredBlueprint> context) throws Exception {
        leftRuns.remove(primary.getMetadata().getName());
        pauses.forget(primary.getMetadata().getName());
        running.end(primary.getMetadata().getName());
        return CleanupResult.done();
    }

    @Override
    public Optional<StoredBlueprint> failed(
            StoredBlueprint primary, Throwable failure, ReconcileContext<StoredBlueprint> context) {
        return Optional.of(withStatus(primary, null, revision(primary), REFUSED, ApiFailure.reason(failure)));
    }

    private CustomResourceDefinition definition(StoredBlueprint primary, CheckedBlueprint fit) {
        ObjectNode made = Definition.of(fit.blueprint().schema(), fit.statusSchema());
        String hash = Hash.of(made.toString()).substring(0, 32);
        made.withObjectProperty("metadata")
                .withObjectProperty("labels")
                .put(OWNER.name(), primary.getMetadata().getName())
                .put(DEFINITION.name(), hash);
        return serialization.convertValue(made, CustomResourceDefinition.class);
    }

    private static boolean changes(CustomResourceDefinition desired, CustomResourceDefinition there) {
        return !DEFINITION.of(desired).equals(DEFINITION.of(there));
    }

    /** Writes it only where it was changed: in the Blueprint, or by somebody else since it was last written. */
    private CustomResourceDefinition define(
            StoredBlueprint primary,
            CustomResourceDefinition desired,
            Optional<CustomResourceDefinition> there,
            ReconcileContext<StoredBlueprint> context) {
        boolean same = there.filter(one -> !changes(desired, one)
                        && one.getMetadata().getGeneration().equals(writtenGeneration(primary)))
                .isPresent();
        return same
                ? there.get()
                : context.remember(context.client()
                        .resource(desired)
                        .patch(new PatchContext.Builder()
                                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                                .withFieldManager("blueprint-operator")
                                .withForce(true)
                                .build()));
    }

    /** Some instances that do not fit the new schema, with what is wrong with each; empty for none. */
    private static String broken(CheckedBlueprint fit, Config reader) {
        Renderer renderer = new Renderer(fit);
        Pages.Found<String> broken;
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(reader).build()) {
            broken = Pages.find(
                    client.genericKubernetesResources(
                                    fit.blueprint().schema().type().clientContext())
                            .inAnyNamespace(),
                    instance -> {
                        Problems problems = renderer.check(SourceNode.of(
                                client.getKubernetesSerialization().convertValue(instance, JsonNode.class)));
                        return problems.isEmpty()
                                ? Optional.empty()
                                : Optional.of(ObjectKey.of(instance) + ": " + problems.text() + "; ");
                    },
                    MOST_TOLD);
        }
        String instances = broken.all() == 1 ? "1 instance does" : broken.all() + " instances do";
        return broken.all() == 0 ? "" : String.join("", broken.first()) + instances + " not fit";
    }

    private static @Nullable Long writtenGeneration(StoredBlueprint primary) {
        return primary.getStatus() == null ? null : primary.getStatus().definitionGeneration();
    }

    private static @Nullable Long revision(StoredBlueprint primary) {
        return primary.getStatus() == null ? null : primary.getStatus().revision();
    }

    /**
     * @param defined null where it was not written
     * @param revision null where none runs
     */
    private StoredBlueprint withStatus(
            StoredBlueprint primary,
            @Nullable CustomResourceDefinition defined,
            @Nullable Long revision,
            ConditionReason reason,
            String message) {
        Conditions now = Conditions.of(primary, clock.instant()).with(reason, message);
        BlueprintStatus before = primary.getStatus();
        String name = defined == null
                ? before == null ? null : before.definition()
                : defined.getMetadata().getName();
        Long generation = defined == null
                ? writtenGeneration(primary)
                : defined.getMetadata().getGeneration();
        return primary.with(new BlueprintStatus(now.list(), now.observedGeneration(), name, generation, revision));
    }
}

package io.busbar.charts.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.charts.instance.ChartInstance;
import io.busbar.charts.instance.ChartStatus;
import io.busbar.charts.render.ChartRenderer;
import io.busbar.charts.render.Lookups;
import io.busbar.charts.render.RenderFailedException;
import io.busbar.charts.render.Rendering;
import io.busbar.charts.run.HookRun.Outcome;
import io.busbar.charts.run.HookRun.State;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.api.FirstRefusal;
import io.busbar.common.condition.ConditionReason;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.ObjectNotOwnedException;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes of an instance what its chart renders: hooks first, then the objects, then what is rendered no more goes, then
 * the hooks that come after.
 *
 * <p>A chart that does not render, and a hook that has failed, are told in the condition {@code Ready} and wait for a
 * change. What the API server refuses is tried again with a growing pause.
 *
 * <p>Any thread.
 */
final class ChartReconciler<P extends ChartInstance> implements Reconciler<P> {

    private static final String TYPE = "Ready";
    private static final ConditionReason READY =
            ConditionReason.ofTrue(TYPE, "Ready", "all objects of the chart are there, and ready");
    private static final ConditionReason PROGRESSING = ConditionReason.ofFalse(
            TYPE, "Progressing", "a hook runs, or an object is not ready; the message says which");
    private static final ConditionReason RENDER_FAILED = ConditionReason.ofFalse(
            TYPE,
            "RenderFailed",
            "the chart does not render with these values; the message is Helm's. It waits for a change");
    private static final ConditionReason HOOK_FAILED = ConditionReason.ofFalse(
            TYPE, "HookFailed", "a hook has failed; it waits for a change, or for the hook's object to be deleted");
    private static final ConditionReason REFUSED = ConditionReason.ofFalse(
            TYPE,
            "Refused",
            "the API server refuses a write, or does not have a kind; it is tried again with a growing pause");
    private static final ConditionReason NOT_OWNED =
            ConditionReason.ofFalse(TYPE, "NotOwned", "an object of that name is somebody else's, and left alone");

    private static final Logger log = LoggerFactory.getLogger(ChartReconciler.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What is not watched is looked at so often, once it is ready. */
    static final Duration LATER = Duration.ofMinutes(1);

    private static final String HOOKS = "hooks for what is looked up now";
    private static final Duration WITH_BACKOFF = Duration.ZERO;

    private final ChartRenderer renderer;
    private final InstanceObjects.Parts parts;
    private final boolean looksAgain;
    private final InstantSource clock;
    private final ClusterVersion version;
    private final Lately lately;

    /**
     * @param looksAgain whether loose objects, and what charts look up, are looked at each minute
     */
    ChartReconciler(ChartRenderer renderer, InstanceObjects.Parts parts, boolean looksAgain, InstantSource clock) {
        this.renderer = renderer;
        this.parts = parts;
        this.looksAgain = looksAgain;
        this.clock = clock;
        this.version = new ClusterVersion(clock);
        this.lately = new Lately(clock);
    }

    @Override
    public ReconcileResult reconcile(P primary, ReconcileContext<P> context) throws IOException {
        Turn<P> turn = new Turn<>(primary, context, parts, clock);
        Rendering rendering;
        try {
            rendering = rendering(primary, turn.objects(), context);
        } catch (RenderFailedException failed) {
            turn.tell(turn.status(), RENDER_FAILED, String.valueOf(failed.getMessage()));
            return untilChange(turn);
        }
        takeOver(turn, rendering);
        boolean isNew = !rendering.revision().equals(turn.status().revision());
        String event = turn.status().release() == 0 ? "install" : "upgrade";
        boolean runsHooks = isNew && !turn.status().isApplied(rendering.inputs());
        HookRun<P> hooks = HookRun.of(turn, rendering);
        if (runsHooks) {
            hooks.begin();
            Outcome before = hooks.run("pre-" + event);
            if (before.state() != State.DONE) {
                return told(turn, hooks, before);
            }
        }
        List<ObjectNode> objects =
                rendering.objects().stream().map(turn.objects()::placed).toList();
        Pruning<P> pruning = new Pruning<>(turn, lately, objects, rendering.madeOnce());
        pruning.note();
        List<Lack> lacks = apply(turn, objects);
        List<String> left = pruning.prune();
        if (runsHooks) {
            Outcome after = hooks.run("post-" + event);
            if (after.state() != State.DONE) {
                return told(turn, hooks, after);
            }
        }
        turn.tell(
                turn.status().applied(rendering.revision(), rendering.inputs()),
                lacks.isEmpty() ? READY : PROGRESSING,
                lacks.stream()
                        .findFirst()
                        .map(Lack::message)
                        .orElseGet(() -> left.stream()
                                .map(why -> "; " + why)
                                .collect(Collectors.joining("", "all objects are ready", ""))));
        if (lacks.stream().anyMatch(Lack::loose)) {
            return ReconcileResult.requeue();
        }
        boolean loose = looksAgain && objects.stream().anyMatch(turn.objects()::isLoose);
        return loose || pruning.isHindered() ? ReconcileResult.requeueAfter(LATER) : untilChange(turn);
    }

    /** What Helm has made before is an installation that is done: what follows is an upgrade. */
    private void takeOver(Turn<P> turn, Rendering rendering) {
        if (turn.status().hasBegun()) {
            return;
        }
        long found = turn.objects().takeOver(rendering.objects(), renderer.chartName());
        if (found > 0) {
            log.atInfo().addKeyValue("objects", found).log("takes over a release of Helm");
            turn.save(turn.status().takenOver());
        }
    }

    /** Of what a chart has looked up no watch tells. */
    private ReconcileResult untilChange(Turn<P> turn) {
        return looksAgain && turn.objects().hasLookedUp()
                ? ReconcileResult.requeueAfter(LATER)
                : ReconcileResult.awaitChange();
    }

    private ReconcileResult told(Turn<P> turn, HookRun<P> hooks, Outcome outcome) {
        boolean failed = outcome.state() == State.FAILED;
        if (failed && hooks.isOfBefore()) {
            String uid = turn.objects().uid();
            if (lately.has(uid, turn.generation(), HOOKS)) { // the hook itself may change what is looked up, each time
                String why = "; what the chart looks up has changed since, and it is run anew within a minute";
                turn.tell(turn.status(), HOOK_FAILED, outcome.message() + why);
                return ReconcileResult.requeueAfter(LATER);
            }
            hooks.beginAnew();
            lately.note(uid, turn.generation(), HOOKS);
            return ReconcileResult.requeue();
        }
        turn.tell(turn.status(), failed ? HOOK_FAILED : PROGRESSING, outcome.message());
        if (outcome.loose()) {
            return failed ? ReconcileResult.requeueAfter(LATER) : ReconcileResult.requeue();
        }
        return untilChange(turn);
    }

    private Rendering rendering(P primary, Lookups lookups, ReconcileContext<P> context)
            throws RenderFailedException, IOException {
        String kubeVersion =
                version.get(() -> context.client().getKubernetesVersion().getGitVersion());
        JsonNode values = primary.getSpec() == null ? JSON.createObjectNode() : JSON.valueToTree(primary.getSpec());
        return renderer.render(context.key(), values, kubeVersion, lookups);
    }

    /**
     * What an object lacks to be ready.
     *
     * @param loose whether nobody tells when it has it
     */
    private record Lack(String message, boolean loose) {}

    private List<Lack> apply(Turn<P> turn, List<ObjectNode> objects) {
        InstanceObjects<P> cluster = turn.objects();
        List<Lack> lacks = new ArrayList<>();
        for (ObjectNode object : objects) {
            JsonNode now = cluster.apply(object);
            String name = now.path("kind").asText() + " "
                    + now.path("metadata").path("name").asText();
            Readiness.lacks(now).ifPresent(lack -> lacks.add(new Lack(name + ": " + lack, cluster.isLoose(object))));
        }
        return lacks;
    }

    /**
     * A chart that does not render any more has no hooks to run, and what was made goes all the same. So it does where
     * the namespace goes, in which no hook can be made.
     */
    @Override
    public CleanupResult cleanup(P primary, ReconcileContext<P> context) throws IOException {
        Turn<P> turn = new Turn<>(primary, context, parts, clock);
        Optional<Rendering> rendering =
                turn.status().hasBegun() ? renderingAtEnd(primary, turn, context) : Optional.empty();
        if (rendering.isPresent()) {
            Outcome before = hooksAtEnd(turn, rendering.get(), "pre-delete");
            if (before.state() != State.DONE) {
                return notYet(turn, before);
            }
        }
        if (!turn.status().objects().isEmpty()) {
            FirstRefusal refusal = new FirstRefusal();
            turn.status().objects().forEach(noted -> refusal.attempt(() -> deleteAtEnd(turn, noted)));
            refusal.throwFirst();
            turn.save(turn.status().withObjects(List.of(), turn.status().kinds()));
        }
        if (rendering.isPresent() && !rendering.get().hooks("post-delete").isEmpty()) {
            if (!deleted(turn)) {
                turn.tell(turn.status(), PROGRESSING, "the objects go, before the hooks that come after");
                return CleanupResult.notYet(LATER);
            }
            Outcome after = hooksAtEnd(turn, rendering.get(), "post-delete");
            if (after.state() != State.DONE) {
                return notYet(turn, after);
            }
        }
        renderer.forget(context.key());
        return CleanupResult.done();
    }

    /** What the operator may not delete any more is no reason for the instance to stay. */
    private static <P extends ChartInstance> void deleteAtEnd(Turn<P> turn, String noted) {
        if (!Pruning.isAllowed(() -> turn.objects().live().deleteNoted(noted))) {
            log.atWarn()
                    .addKeyValue("object", noted)
                    .log("the operator may not get and delete what the chart has made: the instance goes without it");
        }
    }

    private Optional<Rendering> renderingAtEnd(P primary, Turn<P> turn, ReconcileContext<P> context)
            throws IOException {
        try {
            return Optional.of(rendering(primary, new LastLookups(turn.objects()), context));
        } catch (RenderFailedException failed) {
            log.atWarn()
                    .addKeyValue("reason", failed.getMessage())
                    .log("the chart does not render: the instance goes without its hooks");
            return Optional.empty();
        }
    }

    /** Nothing can be made in a namespace that goes, and that is no reason for the instance to stay there. */
    private Outcome hooksAtEnd(Turn<P> turn, Rendering rendering, String event) {
        try {
            return HookRun.atEnd(turn, rendering).run(event);
        } catch (KubernetesClientException refused) {
            if (!ApiFailure.isOfEndingNamespace(refused)) {
                throw refused;
            }
            log.atWarn()
                    .addKeyValue("event", event)
                    .addKeyValue("reason", ApiFailure.reason(refused))
                    .log("the namespace goes: the instance goes without its hooks");
            return Outcome.done();
        }
    }

    private CleanupResult notYet(Turn<P> turn, Outcome outcome) {
        boolean failed = outcome.state() == State.FAILED;
        turn.tell(turn.status(), failed ? HOOK_FAILED : PROGRESSING, outcome.message());
        return CleanupResult.notYet(outcome.loose() && !failed ? WITH_BACKOFF : LATER);
    }

    /** Whether all that is owned and watched, and may be deleted, is gone, hooks aside. */
    private boolean deleted(Turn<P> turn) {
        FirstRefusal refusal = new FirstRefusal();
        List<JsonNode> left = turn.objects().owned().stream()
                .filter(object -> !Pruning.isHook(object) && !InstanceObjects.isKept(object))
                .filter(object -> refusal.attempt(
                        () -> Pruning.isAllowed(() -> turn.objects().delete(object))))
                .toList();
        refusal.throwFirst();
        return left.isEmpty();
    }

    @Override
    public Optional<P> failed(P primary, Throwable failure, ReconcileContext<P> context) {
        ConditionReason reason = failure instanceof ObjectNotOwnedException ? NOT_OWNED : REFUSED;
        ChartStatus status = Objects.requireNonNullElseGet(primary.getStatus(), ChartStatus::none);
        return Optional.of(Turn.with(primary, Turn.told(primary, status, reason, ApiFailure.reason(failure), clock)));
    }
}

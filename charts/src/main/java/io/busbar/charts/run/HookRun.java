package io.busbar.charts.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.charts.instance.ChartInstance;
import io.busbar.charts.instance.ChartStatus;
import io.busbar.charts.instance.ChartStatus.HookProgress;
import io.busbar.charts.render.Hook;
import io.busbar.charts.render.Rendering;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Runs the hooks of one event, one after the other: a Job to its completion, a Pod to its end; others are applied, and
 * that is all. Which have succeeded is in the status before anything else happens, so that none runs twice for a
 * revision, whatever becomes of the process.
 *
 * <p>A Job or a Pod that was made for another revision or event is deleted first, together with its Pods: two at once
 * might undo each other's work. Where it runs, its end is waited for. One that has failed stays as it is, and is run
 * again when somebody deletes it, or what the chart looks up makes another revision of it.
 *
 * <p>A Job that is to be taken away some time after its end is made without that time, and gets it once its success is
 * in the status.
 *
 * <p>For the thread of one reconcile.
 */
final class HookRun<P extends ChartInstance> {

    private static final Set<String> RUNS = Set.of("batch/v1 Job", "v1 Pod");

    private static final String TIME_TO_LIVE = "ttlSecondsAfterFinished";

    private final Turn<P> turn;
    private final Rendering rendering;
    private final String run;

    /** How far they have come. */
    enum State {
        DONE,
        RUNNING,
        FAILED
    }

    /**
     * What has come of them.
     *
     * @param loose whether nobody tells when the one that runs has changed
     */
    record Outcome(State state, String message, boolean loose) {

        static Outcome done() {
            return new Outcome(State.DONE, "", false);
        }
    }

    /** @param run that they belong to: hooks of another one are run, and not taken for these */
    private HookRun(Turn<P> turn, Rendering rendering, String run) {
        this.turn = turn;
        this.rendering = rendering;
        this.run = run;
    }

    static <P extends ChartInstance> HookRun<P> of(Turn<P> turn, Rendering rendering) {
        return new HookRun<>(turn, rendering, turn.status().run(rendering.revision(), rendering.inputs()));
    }

    /** Those of a deletion, while which what is looked up goes. */
    static <P extends ChartInstance> HookRun<P> atEnd(Turn<P> turn, Rendering rendering) {
        return new HookRun<>(turn, rendering, rendering.inputs());
    }

    /** So that what was begun is known, also when another revision comes before it is done. */
    void begin() {
        HookProgress before = turn.status().hooks();
        boolean isBegun = before != null && before.revision().equals(run);
        if (!isBegun && !rendering.hooks().isEmpty()) {
            turn.save(turn.status().begun(run, rendering.inputs()));
        } else if (isBegun && !rendering.inputs().equals(turn.status().inputs())) {
            turn.save(turn.status().goingOn(rendering.inputs())); // with values that make no difference
        }
    }

    /** Whether the chart comes to another revision now than the one that the hooks began with. */
    boolean isOfBefore() {
        return !run.equals(rendering.revision());
    }

    /**
     * Has the hooks run for what the chart comes to now, the next time: one that has failed for what is looked up need
     * not fail again.
     */
    void beginAnew() {
        turn.save(turn.status().begun(rendering.revision(), rendering.inputs()));
    }

    Outcome run(String event) {
        List<Hook> hooks = rendering.hooks(event);
        for (Hook hook : hooks) {
            if (!progress().done().contains(noted(event, hook))) {
                Outcome outcome = run(event, hook);
                if (outcome.state() != State.DONE) {
                    return outcome;
                }
                note(event, hook);
                letGo(event, hook, turn.objects().live()::found);
            } else {
                letGo(event, hook, turn.objects()::find); // where nothing came of that before
            }
        }
        hooks.stream()
                .filter(hook -> hook.deletePolicies().contains("hook-succeeded"))
                .map(hook -> marked(event, hook))
                .forEach(object -> turn.objects()
                        .find(object)
                        .filter(live -> isOfRun(live, event))
                        .ifPresent(turn.objects()::delete));
        return Outcome.done();
    }

    private Outcome run(String event, Hook hook) {
        InstanceObjects<P> objects = turn.objects();
        ObjectNode object = lasting(marked(event, hook));
        String what = "hook " + event + ", " + named(hook) + ": ";
        Optional<String> failed = Optional.ofNullable(progress().failed()).filter(told -> told.startsWith(what));
        if (failed.isPresent()) {
            return new Outcome(State.FAILED, failed.get(), false);
        }
        if (!RUNS.contains(InstanceObjects.kind(object))) {
            objects.apply(object);
            return Outcome.done();
        }
        Optional<JsonNode> known = objects.find(object);
        Optional<JsonNode> live = known.or(() -> objects.unlabelled(object));
        boolean loose = objects.isLoose(object) || (live.isPresent() && known.isEmpty());
        if (live.isPresent() && !isOfRun(live.get(), event)) {
            if (Readiness.isRunning(live.get())) {
                return new Outcome(
                        State.RUNNING, what + "the one of another run still runs; delete it to go on at once", loose);
            }
            objects.deleteWithItsOwn(live.get());
            return new Outcome(State.RUNNING, what + "the one of another run is going", loose);
        }
        JsonNode running = live.isPresent() ? live.get() : objects.apply(object);
        Optional<Boolean> succeeded = Readiness.succeeded(running);
        if (succeeded.isEmpty()) {
            return new Outcome(State.RUNNING, what + "it runs", loose);
        }
        if (succeeded.get()) {
            return Outcome.done();
        }
        String told = what + Readiness.failure(running);
        if (hook.deletePolicies().contains("hook-failed")) {
            HookProgress progress = progress();
            turn.save(turn.status().with(new HookProgress(progress.revision(), progress.done(), told)));
            objects.delete(running);
        }
        return new Outcome(State.FAILED, told, loose);
    }

    /** Where the cluster took it away as soon as it has ended, nobody might see how. */
    private static ObjectNode lasting(ObjectNode object) {
        if (object.get("spec") instanceof ObjectNode spec) {
            spec.remove(TIME_TO_LIVE);
        }
        return object;
    }

    /** The cluster may take away a Job now, after the time that the chart says. One that has gone is not made anew. */
    private void letGo(String event, Hook hook, Function<ObjectNode, Optional<JsonNode>> jobs) {
        JsonNode time = hook.object().path("spec").path(TIME_TO_LIVE);
        if (!time.isMissingNode() && !hook.deletePolicies().contains("hook-succeeded")) {
            jobs.apply(marked(event, hook))
                    .filter(live -> isOfRun(live, event))
                    .filter(live -> !live.path("spec").has(TIME_TO_LIVE))
                    .ifPresent(live -> turn.objects().live().mergeSpec(live, Map.of(TIME_TO_LIVE, time)));
        }
    }

    private HookProgress progress() {
        return turn.status().hooksOf(run);
    }

    private void note(String event, Hook hook) {
        HookProgress before = progress();
        List<String> done = new ArrayList<>(before.done());
        done.add(noted(event, hook));
        ChartStatus now = turn.status().with(new HookProgress(before.revision(), done, null));
        turn.save(now);
    }

    private String noted(String event, Hook hook) {
        return event + " " + named(hook);
    }

    /** Two namespaces may have hooks of one kind and name. */
    private String named(Hook hook) {
        String namespace = hook.object().path("metadata").path("namespace").asText();
        boolean elsewhere =
                !namespace.isEmpty() && !namespace.equals(turn.objects().namespace());
        return elsewhere ? hook.id() + " in " + namespace : hook.id();
    }

    private ObjectNode marked(String event, Hook hook) {
        ObjectNode object = turn.objects().placed(hook.object());
        object.withObjectProperty("metadata").withObjectProperty("annotations").put(Marks.RUN.name(), mark(event));
        return object;
    }

    /** One of an instance of before, and one of a revision that was applied before, is another run. */
    private String mark(String event) {
        return run + "/" + event + "/" + turn.status().release() + "/"
                + turn.objects().uid();
    }

    private boolean isOfRun(JsonNode live, String event) {
        return live.path("metadata")
                .path("annotations")
                .path(Marks.RUN.name())
                .asText()
                .equals(mark(event));
    }
}

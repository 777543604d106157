package io.busbar.blueprint.operator;

import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.check.CheckedResource;
import io.busbar.blueprint.run.BlueprintBundle;
import io.busbar.blueprint.run.Revision;
import io.busbar.common.guard.Thrown;
import io.busbar.runtime.bundle.Account;
import io.busbar.runtime.bundle.Guests;
import io.busbar.runtime.process.Blocking;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The Blueprints that run in this process, each as a guest of the operator.
 *
 * <p>Any thread, one at a time for each Blueprint.
 */
final class RunningBlueprints {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Guests guests;
    private final KubernetesSerialization serialization;
    private final Consumer<String> onWorking;
    private final Map<String, Running> running = new ConcurrentHashMap<>();

    /**
     * @param identity changes with all that its controller is made of
     * @param bundle the name of the guest
     */
    private record Running(String identity, String bundle, Failure failure) {}

    /** Why a guest could not be started; empty where that is not known. */
    private static final class Failure {
        private volatile String text = "";
    }

    /** @param onWorking told the name of each one that works from now on; on any thread */
    RunningBlueprints(Guests guests, KubernetesSerialization serialization, Consumer<String> onWorking) {
        this.guests = guests;
        this.serialization = serialization;
        this.onWorking = onWorking;
    }

    /**
     * Sees to it that a Blueprint runs as it is now: what ran of it before is ended first.
     *
     * @param earlier those before it that instances may still have; asked for only when it is started
     * @param own of who may impersonate the account
     * @throws Exception when what ran of it cannot be ended in time
     */
    Guests.State run(String blueprint, Revision newest, Supplier<List<Revision>> earlier, Account account, Config own)
            throws Exception {
        String identity = Hash.of(account + "\n" + newest.name() + "\n" + identity(newest.blueprint()));
        String failed = "";
        Running before = running.get(blueprint);
        if (before != null && before.identity().equals(identity)) {
            Optional<Guests.State> state = guests.state(before.bundle());
            if (state.isPresent()) {
                return state.get();
            }
            failed = before.failure().text;
        }
        end(blueprint);
        List<Revision> revisions = new ArrayList<>(List.of(newest));
        revisions.addAll(earlier.get());
        BlueprintBundle bundle = new BlueprintBundle(revisions, serialization, Optional.of(account.namespace()));
        Failure failure = new Failure();
        running.put(blueprint, new Running(identity, bundle.name(), failure));
        guests.start(bundle, account.impersonated(own))
                .onSuccess(started -> onWorking.accept(blueprint))
                .onFailure(thrown -> failure.text = Thrown.text(thrown));
        return failed.isEmpty()
                ? guests.state(bundle.name()).orElse(new Guests.State(false, "it is being started"))
                : new Guests.State(false, failed);
    }

    /**
     * Ends what runs of a Blueprint, in order.
     *
     * @throws Exception when that takes longer than a minute
     */
    void end(String blueprint) throws Exception {
        Running before = running.remove(blueprint);
        if (before != null) {
            Blocking.await(guests.end(before.bundle()), PATIENCE);
        }
    }

    private static String identity(CheckedBlueprint checked) {
        String kinds = checked.resources().stream()
                .map(CheckedResource::served)
                .map(kind -> kind + (kind.namespaced() ? " in namespaces" : ""))
                .collect(Collectors.joining(", "));
        return kinds + " " + checked.blueprint().node().json();
    }
}

package io.busbar.runtime.assembly;

import io.busbar.common.bus.Addresses;
import io.busbar.common.watch.JoinedWatches;
import io.busbar.reconciler.work.Controllers;
import io.busbar.reconciler.work.Controllers.Home;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.DeclaredBundle;
import io.busbar.runtime.bundle.Guests;
import io.busbar.runtime.client.ApiClients;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.watcher.WatchStatus;
import io.busbar.watcher.Watches;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs the guests of an operator, see {@link Guests}: each with its own clients and watches, among the operator's
 * controllers.
 *
 * <p>Any thread.
 */
final class GuestBundles implements Guests {

    private final OperatorEnvironment environment;
    private final OperatorOptions options;
    private final Addresses addresses;
    private final Leadership leadership;
    private final Controllers controllers;
    private final WatchedNamespaces namespaces;
    private final BundleContext context;
    private final Context own;
    private final Map<String, Guest> guests = new ConcurrentHashMap<>();
    private volatile boolean stopped;

    /** @param context makes that of guests, who may start others */
    GuestBundles(
            OperatorEnvironment environment,
            OperatorOptions options,
            Addresses addresses,
            Leadership leadership,
            Controllers controllers,
            WatchedNamespaces namespaces,
            Function<Guests, BundleContext> context) {
        this.environment = environment;
        this.options = options;
        this.addresses = addresses;
        this.leadership = leadership;
        this.controllers = controllers;
        this.namespaces = namespaces;
        this.context = context.apply(this);
        this.own = environment.vertx().getOrCreateContext();
    }

    /** The context of the operator's bundles, and of guests. */
    BundleContext context() {
        return context;
    }

    /** What a guest works with. */
    private record Parts(Home home, Watches watches, RunningBundle bundle) {}

    /** Its methods run on the guests' own context, but for {@link #state}. */
    private final class Guest {

        private final Bundle bundle;
        private final Config config;
        private final Promise<Void> ended = Promise.promise();
        /** Up to where there is something that a step of the start may still bring. */
        private Future<Void> deployed = Future.succeededFuture();

        private volatile @Nullable Parts parts;
        private volatile boolean works;

        Guest(Bundle bundle, Config config) {
            this.bundle = bundle;
            this.config = config;
        }

        /** Takes a while, to make clients above all. */
        private Parts made() {
            DeclaredBundle declared = DeclaredBundle.of(bundle, context);
            if (!declared.webhooks().isEmpty() || !declared.conversions().isEmpty()) {
                throw new IllegalArgumentException(
                        "guest " + bundle.name() + " has webhooks, or converts; allowed: controllers alone");
            }
            Controllers.check(declared.controllers());
            Home home = new Home(leadership.guest(config), addresses.ofGuest(bundle.name()));
            Watches watches = new Watches(
                    environment.vertx(), home.client(), environment.meters(), environment.tracing(), home.addresses());
            namespaces.add(watches);
            Parts all = new Parts(home, watches, new RunningBundle(context, options, declared, Optional.of(home)));
            parts = all;
            return all;
        }

        Future<Void> start() {
            Future<Parts> made = own.executeBlocking(this::made, false);
            deployed = made.compose(
                    all -> ApiClients.connect(environment.vertx(), all.home().client())
                            .compose(connected -> all.bundle().deploy(controllers)));
            return deployed.compose(there -> unlessEnded(() -> made.result()
                            .bundle()
                            .watch(made.result().watches(), Map.of(), JoinedWatches.of(List.of()))))
                    .compose(listed -> unlessEnded(() -> made.result().bundle().begin(controllers)))
                    .onSuccess(begun -> works = true);
        }

        private Future<Void> unlessEnded(Supplier<Future<Void>> step) {
            if (ended.future().isComplete()) {
                return Future.failedFuture("ended before it worked");
            }
            Promise<Void> first = Promise.promise();
            ended.future().onComplete(gone -> first.tryFail("ended before it worked"));
            step.get().onComplete(first::tryComplete, first::tryFail);
            return first.future();
        }

        Future<Void> end(Duration grace) {
            ended.tryComplete();
            works = false;
            return deployed.transform(there -> withdraw(grace)).eventually(this::close);
        }

        private Future<Void> withdraw(Duration grace) {
            Parts all = parts;
            return all == null ? Future.succeededFuture() : controllers.withdraw(all.home(), grace);
        }

        Future<Void> close() {
            ended.tryComplete();
            Parts all = parts;
            if (all == null) {
                return Future.succeededFuture();
            }
            namespaces.remove(all.watches());
            return all.watches()
                    .close()
                    .eventually(() -> own.executeBlocking(
                            () -> {
                                all.home().client().close();
                                return null;
                            },
                            false));
        }

        State state() {
            Parts all = parts;
            String unlisted = works || all == null
                    ? ""
                    : all.watches().statuses().stream()
                            .filter(watch -> !watch.synced())
                            .map(Guest::told)
                            .distinct()
                            .collect(Collectors.joining("; "));
            return new State(works, works ? "" : unlisted.isEmpty() ? "it is being started" : unlisted);
        }

        private static String told(WatchStatus watch) {
            return watch.resource() + " is not listed yet" + (watch.failure().isEmpty() ? "" : ": " + watch.failure());
        }
    }

    @Override
    public Future<Void> start(Bundle bundle, Config config) {
        if (leadership.shares()) {
            return Future.failedFuture("replicas share the work here, and guests are run by one alone");
        }
        String name = bundle.name();
        Guest guest = new Guest(bundle, config);
        if (guests.putIfAbsent(name, guest) != null) {
            return Future.failedFuture("there is a guest " + name + " already");
        }
        if (stopped) {
            guests.remove(name, guest);
            return Future.failedFuture("the operator stops");
        }
        return onOwnContext(() -> guest.start().onFailure(failed -> {
            if (guests.remove(name, guest)) {
                guest.end(Duration.ZERO);
            }
        }));
    }

    @Override
    public Future<Void> end(String name) {
        Guest guest = guests.remove(name);
        return guest == null
                ? Future.succeededFuture()
                : onOwnContext(() -> guest.end(options.gracefulShutdownTimeout()));
    }

    /**
     * What is deployed by a reconcile would be a part of its worker, and be told of on its thread, which may be waiting
     * for just that.
     */
    private Future<Void> onOwnContext(Supplier<Future<Void>> step) {
        Promise<Void> done = Promise.promise();
        own.runOnContext(go -> step.get().onComplete(done));
        return done.future();
    }

    @Override
    public Optional<State> state(String name) {
        return Optional.ofNullable(guests.get(name)).map(Guest::state);
    }

    /** None can be started any more, and none begins to work. */
    void stop() {
        stopped = true;
        guests.values().forEach(guest -> guest.ended.tryComplete());
    }

    /** Closes what they watch and write with, once no controller works any more. */
    Future<Void> close() {
        List<Guest> all = List.copyOf(guests.values());
        guests.clear();
        return onOwnContext(() -> Future.join(all.stream()
                        .map(guest -> guest.deployed.transform(there -> guest.close()))
                        .toList())
                .mapEmpty());
    }
}

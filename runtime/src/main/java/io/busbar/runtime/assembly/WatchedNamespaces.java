package io.busbar.runtime.assembly;

import io.busbar.common.ObjectKey;
import io.busbar.reconciler.work.Controllers;
import io.busbar.watcher.Watches;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The namespaces that an operator watches, which may change while it runs.
 *
 * <pre>
 *   change: keys of what comes and goes wait ▶ none of them is out ▶ watches change ▶ all is listed ▶ keys are handed out
 * </pre>
 *
 * So nothing is reconciled while half of what belongs to it is stored.
 *
 * <p>Any thread.
 */
final class WatchedNamespaces {

    private final Controllers controllers;
    /** By the clusters' names. */
    private final Map<String, Watches> watches;
    /** Those of guests, and of bundles with an account, for which nobody waits: one may not be allowed to list. */
    private final Set<Watches> guests = ConcurrentHashMap.newKeySet();

    /** Whose keys are handed out, in all clusters; empty for all. */
    private Set<String> open;
    /** What was asked for last. */
    private Set<String> asked;

    private int changes;

    WatchedNamespaces(Controllers controllers, Map<String, Watches> watches, Set<String> first) {
        this.controllers = controllers;
        this.watches = Map.copyOf(watches);
        this.open = Set.copyOf(first);
        this.asked = open;
        this.watches.values().forEach(one -> one.watchNamespaces(first));
    }

    /** Has the watches of a guest follow; before any of them is acquired. */
    synchronized void add(Watches guest) {
        guest.watchNamespaces(asked);
        guests.add(guest);
    }

    void remove(Watches guest) {
        guests.remove(guest);
    }

    /** The watches of all clusters, and of guests. */
    Stream<Watches> all() {
        return Stream.concat(watches.values().stream(), guests.stream());
    }

    /**
     * A cluster that is away holds up no other.
     *
     * @param names empty for all
     * @return completes when what is in them is listed; fails when they have been changed again before
     */
    synchronized Future<Void> change(Set<String> names) {
        List<Set<String>> before = List.of(open, asked);
        Set<String> after = Set.copyOf(names);
        asked = after;
        changes++;
        int change = changes;
        Set<String> unlisted = ConcurrentHashMap.newKeySet();
        unlisted.addAll(watches.keySet());
        Predicate<ObjectKey> moving = key -> unlisted.contains(key.cluster())
                && before.stream().anyMatch(earlier -> in(earlier, key) != in(after, key));
        return controllers
                .shut(moving)
                .compose(left -> isLast(change) ? Future.succeededFuture() : replaced())
                .onSuccess(latest -> guests.forEach(guest -> guest.watchNamespaces(after)))
                .compose(latest -> Future.all(watches.entrySet().stream()
                        .map(cluster -> cluster.getValue()
                                .watchNamespaces(after)
                                .onSuccess(listed -> {
                                    unlisted.remove(cluster.getKey());
                                    if (isLast(change)) {
                                        controllers.shut(moving); // fewer keys than before
                                    }
                                }))
                        .toList()))
                .compose(listed -> end(change, after));
    }

    private synchronized Future<Void> end(int change, Set<String> after) {
        if (change != changes) {
            return replaced();
        }
        open = after;
        controllers.open(key -> !in(after, key));
        return Future.succeededFuture();
    }

    private synchronized boolean isLast(int change) {
        return change == changes;
    }

    private static Future<Void> replaced() {
        return Future.failedFuture("the namespaces have been changed again");
    }

    private static boolean in(Set<String> namespaces, ObjectKey key) {
        return namespaces.isEmpty() || key.namespace().isEmpty() || namespaces.contains(key.namespace());
    }
}

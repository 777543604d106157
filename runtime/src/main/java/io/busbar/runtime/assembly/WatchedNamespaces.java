package io.busbar.runtime.assembly;

import io.busbar.common.ObjectKey;
import io.busbar.reconciler.work.Controllers;
import io.busbar.watcher.Watches;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
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
    /** Of all clusters, and of guests. */
    private final Set<Watches> watches = ConcurrentHashMap.newKeySet();

    /** Whose keys are handed out, in all clusters; empty for all. */
    private Set<String> open;
    /** What was asked for last. */
    private Set<String> asked;

    private int changes;

    WatchedNamespaces(Controllers controllers, Collection<Watches> watches, Set<String> first) {
        this.controllers = controllers;
        this.open = Set.copyOf(first);
        this.asked = open;
        watches.forEach(this::add);
    }

    /** Has some watch what the others do; before any of them is acquired. */
    synchronized void add(Watches more) {
        more.watchNamespaces(asked);
        watches.add(more);
    }

    void remove(Watches closed) {
        watches.remove(closed);
    }

    /** Those of all clusters, and of guests. */
    Stream<Watches> all() {
        return watches.stream();
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
        Set<Watches> unlisted = ConcurrentHashMap.newKeySet();
        unlisted.addAll(watches);
        Predicate<ObjectKey> moving =
                key -> unlisted.stream().anyMatch(one -> one.cluster().equals(key.cluster()))
                        && before.stream().anyMatch(earlier -> in(earlier, key) != in(after, key));
        return controllers
                .shut(moving)
                .compose(left -> isLast(change) ? Future.succeededFuture() : replaced())
                .compose(latest -> Future.all(watches.stream()
                        .map(one -> one.watchNamespaces(after).onSuccess(listed -> {
                            unlisted.remove(one);
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

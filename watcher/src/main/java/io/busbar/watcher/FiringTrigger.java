package io.busbar.watcher;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Addresses;
import io.busbar.common.bus.Cause;
import io.busbar.common.bus.Reason;
import io.busbar.common.bus.ReconcileRequest;
import io.busbar.common.guard.Guard;
import io.busbar.common.guard.SlowCalls;
import io.busbar.common.watch.Change;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.Trigger;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.vertx.core.eventbus.EventBus;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A trigger with the listers that its mapping reads.
 *
 * <p>One context. Never throws: where the predicate fails the change passes, since one reconcile too many does less
 * harm than one too few; where the mapping fails for one of before and after, the other still counts. Both together are
 * timed.
 */
final class FiringTrigger<T extends HasMetadata> {

    private final Trigger<T> trigger;
    private final Listers listers;
    private final String address;
    private final Guard guard;
    private final SlowCalls slow;

    FiringTrigger(Trigger<T> trigger, Listers listers, Addresses addresses, Guard guard, SlowCalls slow) {
        this.trigger = trigger;
        this.listers = listers;
        this.address = addresses.requests(trigger.controller());
        this.guard = guard;
        this.slow = slow;
    }

    /**
     * Sends a request for each primary that the change concerns.
     *
     * @param traceparent of the change; asked only if it concerns any
     */
    void fire(Change<T> change, ObjectKey object, EventBus bus, Supplier<String> traceparent) {
        Set<ObjectKey> keys = new LinkedHashSet<>();
        long begun = slow.begin();
        if (passes(change, object)) {
            map(change.before(), object, keys);
            map(change.after(), object, keys);
        }
        slow.end(begun, trigger.controller());
        if (keys.isEmpty()) {
            return;
        }
        Reason reason = change.initial() ? Reason.INITIAL_LIST : Reason.CHANGE;
        Cause cause = cause(change, object);
        keys.forEach(key -> bus.send(address, new ReconcileRequest(key, reason, traceparent.get(), cause)));
    }

    private static Cause cause(Change<? extends HasMetadata> change, ObjectKey object) {
        HasMetadata after = change.after();
        HasMetadata shown = after == null ? change.before() : after;
        String version = shown == null ? null : shown.getMetadata().getResourceVersion();
        String kind = shown == null ? null : shown.getKind();
        Cause.How how = change.initial()
                ? Cause.How.LISTED
                : after == null ? Cause.How.DELETED : change.before() == null ? Cause.How.ADDED : Cause.How.MODIFIED;
        return new Cause(how, Objects.requireNonNullElse(kind, ""), object, Objects.requireNonNullElse(version, ""));
    }

    private boolean passes(Change<T> change, ObjectKey object) {
        try {
            return trigger.when().test(change);
        } catch (Throwable thrown) {
            complain("predicate", object, thrown);
            return true;
        }
    }

    private void map(@Nullable T object, ObjectKey key, Set<ObjectKey> keys) {
        if (object == null) {
            return;
        }
        try {
            keys.addAll(trigger.keys(object, listers));
        } catch (Throwable thrown) {
            complain("mapping", key, thrown);
        }
    }

    private void complain(String what, ObjectKey object, Throwable thrown) {
        guard.caught(
                thrown,
                Map.of(
                        "of", what,
                        "controller", trigger.controller(),
                        "namespace", object.namespace(),
                        "name", object.name()));
    }
}

package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * Records who owns what after a write that is no apply: create, update, and the other patches.
 *
 * <p>As in kube-apiserver a write takes what it changes from everyone, and gives up what it removes. The caller comes here with
 * the object decoded and defaulted, and before admission. Any thread.
 */
public final class ManagedFields {

    private ManagedFields() {}

    /**
     * The object with its managedFields brought up to date.
     *
     * <p>A list of managedFields in {@code changed} counts in place of the live one's, unless it can't be read; an empty one, or one
     * with an empty entry, forgets all owners.
     *
     * @param live null for a creation
     * @param changed not altered
     */
    public static ObjectNode update(
            @Nullable ObjectNode live, ObjectNode changed, ApplyOptions options, ListTopology lists) {
        ObjectNode before = live == null ? lists.blank() : live;
        Difference difference = Difference.between(before, changed, lists).without(Ownership.NOBODYS);
        Ownership owners = owners(live, changed);
        if (!difference.isNone()) {
            Owner self = Owner.updating(options);
            FieldSet touched = difference.touched();
            owners.takeFromOthers(self, touched.union(difference.removed()));
            FieldSet own = owners.fields(self).union(touched).minus(difference.removed());
            owners.set(self, own, options.time(), !touched.isEmpty());
        }
        return owners.writeTo(changed);
    }

    private static Ownership owners(@Nullable ObjectNode live, ObjectNode changed) {
        JsonNode given = changed.path("metadata").path("managedFields");
        boolean reset = given.isArray()
                && (given.isEmpty() || (given.size() == 1 && given.get(0).isEmpty()));
        Ownership named = Ownership.of(changed);
        return reset || !named.isEmpty() ? named : Ownership.of(live);
    }
}

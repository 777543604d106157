package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records who owns what after a write that is no apply: create, update, and the other patches.
 *
 * <p>As in kube-apiserver a write takes what it changes from everyone, and gives up what it removes. The caller comes
 * here with the object decoded and defaulted, and before admission. Any thread.
 */
public final class ManagedFields {

    private ManagedFields() {}

    /**
     * The object with its managedFields brought up to date.
     *
     * <p>A list of managedFields in {@code changed} counts in place of the live one's, unless it can't be read or the
     * write is to a subresource; an empty one, or one with an empty entry, forgets all owners. An object that has none
     * gets none.
     *
     * @param live null for a creation
     * @param changed not altered
     */
    public static ObjectNode update(
            @Nullable ObjectNode live, ObjectNode changed, ApplyOptions options, Versions versions) {
        ListTopology lists = versions.lists(options.apiVersion());
        Ownership owners = owners(live, changed, options);
        if (live == null || !owners.isEmpty()) {
            record(owners, live == null ? lists.blank() : live, changed, options, versions);
        }
        return owners.writeTo(changed);
    }

    /** What is to be written, with the times of before when nothing but times is other than it was. */
    public static ObjectNode withoutNewTimes(ObjectNode before, ObjectNode after) {
        JsonNode old = before.path("metadata").path("managedFields");
        JsonNode now = after.path("metadata").path("managedFields");
        if (old.isMissingNode() || old.size() != now.size() || old.equals(now)) {
            return after;
        }
        ObjectNode timeless = after.objectNode().setAll(after);
        timeless.set(
                "metadata",
                ((ObjectNode) after.path("metadata")).objectNode().setAll((ObjectNode) after.path("metadata")));
        ((ObjectNode) timeless.path("metadata")).set("managedFields", old);
        return timeless.equals(before) && withoutTimes(old).equals(withoutTimes(now)) ? before : after;
    }

    private static Set<JsonNode> withoutTimes(JsonNode entries) {
        Set<JsonNode> timeless = new HashSet<>();
        entries.forEach(entry -> timeless.add(((ObjectNode) entry.deepCopy()).without("time")));
        return timeless;
    }

    /** Adds a write to the record. */
    static void record(Ownership owners, ObjectNode live, ObjectNode changed, ApplyOptions options, Versions versions) {
        Changes changes = new Changes(live, changed, options.apiVersion(), versions);
        Owner self = Owner.updating(options);
        owners.forgetObsolete(null, changes);
        owners.take(null, changes);
        Difference difference = changes.in(options.apiVersion());
        FieldSet taken =
                difference == null ? FieldSet.EMPTY : difference.touched().minus(Ownership.NOBODYS);
        if (!taken.isEmpty()) {
            owners.set(self, owners.fields(self).union(taken), options.apiVersion());
            owners.touch(self, options.time());
        }
        owners.limitUpdaters();
    }

    private static Ownership owners(@Nullable ObjectNode live, ObjectNode changed, ApplyOptions options) {
        if (options.subresource().isEmpty()) {
            JsonNode given = changed.path("metadata").path("managedFields");
            if (given.isArray()
                    && (given.isEmpty() || (given.size() == 1 && given.get(0).isEmpty()))) {
                return new Ownership();
            }
            Ownership named = Ownership.of(changed);
            if (named != null && !named.isEmpty()) {
                return named;
            }
        }
        Ownership before = live == null ? null : Ownership.of(live);
        return before == null ? new Ownership() : before;
    }
}

package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Takes out of a merged object what its manager applied last time and applies no longer, unless somebody owns it, or
 * nobody ever did.
 *
 * <p>One thread.
 *
 * @param owners with what the manager applies now
 */
record Withdrawal(Versions versions, Ownership owners) {

    /**
     * @param last what the manager applied before, in version {@code lastVersion}
     * @param apiVersion of the merged object, and of the result
     */
    ObjectNode prune(ObjectNode merged, FieldSet last, String lastVersion, String apiVersion) {
        boolean sameVersion = lastVersion.equals(apiVersion);
        ObjectNode then = sameVersion || versions.looksBack() ? versions.convert(merged, lastVersion) : null;
        if (last.isEmpty() || then == null) {
            return merged;
        }
        ListTopology lists = versions.lists(lastVersion);
        FieldSet given = last.withDeclared(lists);
        ObjectNode owned = withOwned(then, (ObjectNode) Typed.remove(then, given, lists), lastVersion);
        ObjectNode ownedThen = versions.convert(owned, lastVersion);
        if (ownedThen == null) {
            return merged;
        }
        FieldSet gone = named(then, lists).minus(named(ownedThen, lists)).intersection(given);
        ObjectNode pruned = versions.convert((ObjectNode) Typed.remove(then, gone, lists), apiVersion);
        return pruned == null ? merged : pruned;
    }

    /** The pruned object with what anybody owns, version by version, the pruned one's first. */
    private ObjectNode withOwned(ObjectNode merged, ObjectNode pruned, String version) {
        Map<String, FieldSet> shares = new LinkedHashMap<>();
        Map<String, FieldSet> all = owners.byVersion();
        if (all.containsKey(version)) {
            shares.put(version, all.get(version));
        }
        all.forEach(shares::putIfAbsent);
        ObjectNode whole = merged;
        ObjectNode left = pruned;
        for (Map.Entry<String, FieldSet> share : shares.entrySet()) {
            ObjectNode wholeThen = versions.convert(whole, share.getKey());
            ObjectNode leftThen = wholeThen == null ? null : versions.convert(left, share.getKey());
            if (wholeThen != null && leftThen != null) {
                ListTopology lists = versions.lists(share.getKey());
                FieldSet staying = named(leftThen, lists).union(share.getValue().withDeclared(lists));
                whole = wholeThen;
                left = (ObjectNode) Typed.remove(whole, named(whole, lists).minus(staying), lists);
            }
        }
        return left;
    }

    private static FieldSet named(ObjectNode object, ListTopology lists) {
        return Typed.fields(object, lists).withDeclared(lists);
    }
}

package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.patch.Equality;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What differs between two forms of an object.
 *
 * <p>A container that appears or vanishes counts as well as what it holds. Immutable.
 */
record Difference(FieldSet added, FieldSet modified, FieldSet removed) {

    private static final Difference NONE = new Difference(FieldSet.EMPTY, FieldSet.EMPTY, FieldSet.EMPTY);

    static Difference between(ObjectNode before, ObjectNode after, ListTopology lists) {
        return of(before, after, lists);
    }

    boolean isNone() {
        return added.isEmpty() && modified.isEmpty() && removed.isEmpty();
    }

    /** What the second form has and the first had not, or had otherwise. */
    FieldSet touched() {
        return added.union(modified);
    }

    private static Difference of(@Nullable JsonNode before, @Nullable JsonNode after, ListTopology lists) {
        if (Equality.equal(before, after)) {
            return NONE;
        }
        if (before == null || after == null) {
            return new Difference(
                    after == null ? FieldSet.EMPTY : whole(after, lists),
                    FieldSet.EMPTY,
                    before == null ? FieldSet.EMPTY : whole(before, lists));
        }
        if (isLeaf(before, lists) && isLeaf(after, lists)) {
            return new Difference(FieldSet.EMPTY, FieldSet.LEAF, FieldSet.EMPTY);
        }
        Map<PathElement, JsonNode> old = children(before, lists);
        Map<PathElement, JsonNode> now = children(after, lists);
        Set<PathElement> elements = new LinkedHashSet<>(old.keySet());
        elements.addAll(now.keySet());
        TreeMap<PathElement, FieldSet> added = new TreeMap<>();
        TreeMap<PathElement, FieldSet> modified = new TreeMap<>();
        TreeMap<PathElement, FieldSet> removed = new TreeMap<>();
        for (PathElement element : elements) {
            Difference child = of(old.get(element), now.get(element), Typed.below(lists, element));
            put(added, element, child.added);
            put(modified, element, child.modified);
            put(removed, element, child.removed);
        }
        boolean otherType = before.getNodeType() != after.getNodeType() && !before.isNull() && !after.isNull();
        return new Difference(
                new FieldSet(false, added), new FieldSet(otherType, modified), new FieldSet(false, removed));
    }

    /** A value and all that it holds. */
    private static FieldSet whole(JsonNode value, ListTopology lists) {
        if (isLeaf(value, lists)) {
            return FieldSet.LEAF;
        }
        TreeMap<PathElement, FieldSet> below = new TreeMap<>();
        children(value, lists)
                .forEach((element, child) -> below.put(element, whole(child, Typed.below(lists, element))));
        return new FieldSet(true, below);
    }

    private static void put(TreeMap<PathElement, FieldSet> sets, PathElement element, FieldSet set) {
        if (!set.isEmpty()) {
            sets.put(element, set);
        }
    }

    /** A scalar, empty, or owned as one. */
    private static boolean isLeaf(JsonNode value, ListTopology lists) {
        return value.isEmpty() || !Typed.isGranular(value, lists);
    }

    private static Map<PathElement, JsonNode> children(JsonNode value, ListTopology lists) {
        if (!Typed.isGranular(value, lists)) {
            return Map.of();
        }
        if (value.isArray()) {
            return ListItems.lenient(value, lists);
        }
        Map<PathElement, JsonNode> children = new LinkedHashMap<>();
        value.properties().forEach(field -> children.put(PathElement.field(field.getKey()), field.getValue()));
        return children;
    }

    /** What of it a write counts for. */
    Difference counted(FieldFilter filter) {
        return isNone() ? this : new Difference(filter.apply(added), filter.apply(modified), filter.apply(removed));
    }
}

package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * A set of paths into an object, as a tree.
 *
 * <p>Immutable. No branch is empty.
 *
 * @param member whether the place itself is in the set
 * @param children what of the places below it is
 */
record FieldSet(boolean member, SortedMap<PathElement, FieldSet> children) {

    static final FieldSet EMPTY = new FieldSet(false, new TreeMap<>());
    static final FieldSet LEAF = new FieldSet(true, new TreeMap<>());

    FieldSet {
        children = Collections.unmodifiableSortedMap(children);
    }

    /** Reads FieldsV1. */
    static FieldSet parse(JsonNode fieldsV1) {
        TreeMap<PathElement, FieldSet> children = new TreeMap<>();
        boolean itself = false;
        for (Map.Entry<String, JsonNode> entry : fieldsV1.properties()) {
            if (entry.getKey().equals(".")) {
                itself = true;
            } else {
                boolean leaf = entry.getValue().isEmpty();
                children.put(PathElement.parse(entry.getKey()), leaf ? LEAF : parse(entry.getValue()));
            }
        }
        return new FieldSet(itself, children);
    }

    /** The set of one path. */
    static FieldSet of(String... fields) {
        FieldSet set = LEAF;
        for (int i = fields.length - 1; i >= 0; i--) {
            TreeMap<PathElement, FieldSet> children = new TreeMap<>();
            children.put(PathElement.field(fields[i]), set);
            set = new FieldSet(false, children);
        }
        return set;
    }

    boolean isEmpty() {
        return !member && children.isEmpty();
    }

    FieldSet child(PathElement element) {
        return children.getOrDefault(element, EMPTY);
    }

    FieldSet union(FieldSet other) {
        return combine(other, (a, b) -> a || b);
    }

    FieldSet minus(FieldSet other) {
        return combine(other, (a, b) -> a && !b);
    }

    FieldSet intersection(FieldSet other) {
        return combine(other, (a, b) -> a && b);
    }

    /** This set without the places that are in the other, and without all that is below them. */
    FieldSet without(FieldSet others) {
        if (others.isEmpty() || isEmpty()) {
            return this;
        }
        if (others.member) {
            return EMPTY;
        }
        TreeMap<PathElement, FieldSet> left = new TreeMap<>();
        children.forEach((element, child) -> put(left, element, child.without(others.child(element))));
        return new FieldSet(member, left);
    }

    private FieldSet combine(FieldSet other, BiFunction<Boolean, Boolean, Boolean> rule) {
        if (isEmpty() || other.isEmpty()) {
            FieldSet rest = isEmpty() ? other : this;
            return rule.apply(!isEmpty(), !other.isEmpty()) ? rest : EMPTY;
        }
        // Each element once: twice at each level would be 2^depth times at the bottom.
        TreeMap<PathElement, FieldSet> combined = new TreeMap<>();
        children.forEach((element, child) -> put(combined, element, child.combine(other.child(element), rule)));
        other.children.forEach((element, child) -> {
            if (!children.containsKey(element)) {
                put(combined, element, EMPTY.combine(child, rule));
            }
        });
        return new FieldSet(rule.apply(member, other.member), combined);
    }

    private static void put(TreeMap<PathElement, FieldSet> combined, PathElement element, FieldSet child) {
        if (!child.isEmpty()) {
            combined.put(element, child);
        }
    }

    /** This set with every declared field that it reaches through: who owns what is below one, owns that field. */
    FieldSet withDeclared(ListTopology lists) {
        if (children.isEmpty()) {
            return this;
        }
        TreeMap<PathElement, FieldSet> full = new TreeMap<>();
        children.forEach((element, child) -> {
            boolean declared = element.kind() == PathElement.Kind.FIELD && lists.declares(element.content());
            FieldSet below = child.withDeclared(Typed.below(lists, element));
            full.put(element, new FieldSet(child.member || declared, below.children));
        });
        return new FieldSet(member, full);
    }

    /** The paths in it as messages show them, in order. */
    List<String> paths() {
        List<String> paths = new ArrayList<>();
        collect("", paths);
        return paths;
    }

    private void collect(String path, List<String> paths) {
        if (member) {
            paths.add(path);
        }
        children.forEach((element, child) -> child.collect(path + element, paths));
    }

    /** The wire form, FieldsV1. */
    ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        if (member && !children.isEmpty()) {
            json.putObject(".");
        }
        children.forEach((element, child) -> json.set(element.wire(), child.toJson()));
        return json;
    }
}

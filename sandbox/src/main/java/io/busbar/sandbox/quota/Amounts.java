package io.busbar.sandbox.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.cel.Quantity;
import java.math.BigDecimal;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Quantities by the names of resources, in their order.
 *
 * <p>One thread while it is filled in by {@link #add}, then any.
 */
record Amounts(NavigableMap<String, Quantity> byName) {

    static final Quantity NONE = new Quantity(BigDecimal.ZERO, "0");

    Amounts() {
        this(new TreeMap<>());
    }

    /** What is no quantity is left out. */
    static Amounts of(JsonNode node) {
        Amounts amounts = new Amounts();
        node.properties()
                .forEach(entry -> Quantity.parse(entry.getValue().asText())
                        .ifPresent(quantity -> amounts.byName.put(entry.getKey(), quantity)));
        return amounts;
    }

    Amounts add(String name, long count) {
        return add(name, new Quantity(BigDecimal.valueOf(count), Long.toString(count)));
    }

    Amounts add(String name, Quantity quantity) {
        byName.merge(name, quantity, Quantity::plus);
        return this;
    }

    Amounts add(Amounts others) {
        return merge(others, Quantity::plus);
    }

    /** The greater of both for each name. */
    Amounts raise(Amounts others) {
        return merge(others, (one, other) -> one.value().compareTo(other.value()) < 0 ? other : one);
    }

    private Amounts merge(Amounts others, BinaryOperator<Quantity> operator) {
        others.byName.forEach((name, quantity) -> byName.merge(name, quantity, operator));
        return this;
    }

    /** What is more here than there. */
    Amounts beyond(Amounts others) {
        Amounts rest = new Amounts();
        byName.forEach((name, quantity) -> {
            Quantity difference = quantity.minus(others.byName.getOrDefault(name, NONE));
            rest.byName.put(name, difference.value().signum() < 0 ? NONE : difference);
        });
        return rest;
    }

    Amounts only(Predicate<String> names) {
        Amounts masked = new Amounts();
        byName.forEach((name, quantity) -> {
            if (names.test(name)) {
                masked.byName.put(name, quantity);
            }
        });
        return masked;
    }

    Amounts copy() {
        return new Amounts(new TreeMap<>(byName));
    }

    Set<String> names() {
        return byName.keySet();
    }

    boolean isZero() {
        return byName.values().stream().allMatch(quantity -> quantity.value().signum() == 0);
    }

    @Nullable
    Quantity get(String name) {
        return byName.get(name);
    }

    /** 0 for none. */
    BigDecimal of(String name) {
        return byName.getOrDefault(name, NONE).value();
    }

    /** Whether this has the same names, and as much of each. */
    boolean sameAs(Amounts other) {
        return names().equals(other.names())
                && names().stream().allMatch(name -> of(name).compareTo(other.of(name)) == 0);
    }

    ObjectNode node() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        byName.forEach((name, quantity) -> node.set(name, TextNode.valueOf(quantity.canonical())));
        return node;
    }

    /** As in messages: {@code cpu=1,memory=1Gi}. */
    String shown() {
        return byName.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue().canonical())
                .collect(Collectors.joining(","));
    }
}

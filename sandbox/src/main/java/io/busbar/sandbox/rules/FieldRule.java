package io.busbar.sandbox.rules;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One line of a room's rules: what holds for a field, and when.
 *
 * <p>Immutable.
 *
 * @param field its path below the type, {@code *} for the object itself; {@code []} at its end for each item or value
 * @param told where messages say it is, if not there
 * @param conditions all of which have to hold
 * @param filling what is there when nothing is said; null for nothing
 * @param initial whether that is so only of the status of what is new
 */
record FieldRule(
        String field,
        @Nullable String told,
        List<Condition> conditions,
        @Nullable Filling filling,
        boolean initial,
        List<Constraint> constraints) {

    /**
     * Whether a field beside it has one of some values.
     *
     * @param values empty for any value at all
     * @param negated whether it must not
     */
    record Condition(JsonPointer field, List<String> values, boolean negated) {

        boolean holds(JsonNode object) {
            JsonNode value = object.at(field);
            boolean has = values.isEmpty() ? !Place.isBlank(value) : values.contains(value.asText());
            return has != negated;
        }
    }

    /** Sets what is there when nothing is said. */
    void fill(ObjectNode object) {
        if (filling == null || !holds(object)) {
            return;
        }
        String path = field.replace("[]", "").replace("*", "");
        int dot = path.lastIndexOf('.');
        JsonNode parent =
                dot < 0 ? object : object.at("/" + path.substring(0, dot).replace('.', '/'));
        String last = path.substring(dot + 1);
        if (field.endsWith("[]")) {
            Fields.each(parent.path(last), item -> filling.fill(item, ""));
        } else {
            Fields.ifObject(parent, found -> filling.fill(found, last));
        }
    }

    private boolean holds(JsonNode object) {
        return conditions.isEmpty() || conditions.stream().allMatch(condition -> condition.holds(object));
    }

    void check(Place object) {
        if (!holds(object.value())) {
            return;
        }
        if (field.equals("*")) {
            apply(told(object, object));
        } else if (field.endsWith("[]")) {
            told(object, object.at(field.substring(0, field.length() - 2)))
                    .each()
                    .forEach(this::apply);
        } else {
            apply(told(object, object.at(field)));
        }
    }

    private Place told(Place object, Place place) {
        return told == null ? place : place.besides(object, told);
    }

    /** Whether what stands below a field is not looked at, or by this rule. */
    boolean closes(String name) {
        return field.equals(name)
                && (constraints.contains(Constraint.OPAQUE) || constraints.contains(Constraint.INSIDE));
    }

    private void apply(Place place) {
        for (Constraint constraint : constraints) {
            if (!constraint.check(place)) {
                return;
            }
        }
    }
}

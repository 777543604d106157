package io.busbar.sandbox.rules;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * One line of a room's rules: what holds for a field, and when.
 *
 * <p>Immutable.
 *
 * @param field its path below the type, {@code *} for the object itself; {@code []} at its end for each item or value
 * @param conditions all of which have to hold
 */
record FieldRule(String field, List<Condition> conditions, List<Constraint> constraints) {

    /**
     * Whether a field beside it has one of some values.
     *
     * @param values empty for any value at all
     * @param negated whether it must not
     */
    record Condition(String field, List<String> values, boolean negated) {

        boolean holds(Place object) {
            JsonNode value = object.value().at("/" + field.replace('.', '/'));
            boolean has = values.isEmpty() ? !Place.isBlank(value) : values.contains(value.asText());
            return has != negated;
        }
    }

    void check(Place object) {
        for (Condition condition : conditions) {
            if (!condition.holds(object)) {
                return;
            }
        }
        if (field.equals("*")) {
            apply(object);
        } else if (field.endsWith("[]")) {
            object.at(field.substring(0, field.length() - 2)).each().forEach(this::apply);
        } else {
            apply(object.at(field));
        }
    }

    /** Whether what stands below a field is not looked at. */
    boolean closes(String name) {
        return field.equals(name) && constraints.contains(Constraint.OPAQUE);
    }

    private void apply(Place place) {
        for (Constraint constraint : constraints) {
            if (!constraint.check(place)) {
                return;
            }
        }
    }
}

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
        Steps field,
        @Nullable String told,
        List<Condition> conditions,
        @Nullable Filling filling,
        boolean initial,
        List<Constraint> constraints) {

    /**
     * The way to a field, taken apart once, as rules are asked all the time.
     *
     * @param above the fields on the way
     * @param last empty for the object itself
     * @param each whether each item or value is meant
     */
    record Steps(String text, List<String> above, String last, boolean each) {

        static Steps of(String text) {
            boolean each = text.endsWith("[]");
            String path = text.equals("*") ? "" : each ? text.substring(0, text.length() - 2) : text;
            List<String> steps = List.of(path.split("\\.", -1));
            int last = steps.size() - 1;
            return new Steps(text, steps.subList(0, last), steps.get(last), each);
        }

        private JsonNode parent(JsonNode object) {
            JsonNode parent = object;
            for (String step : above) {
                parent = parent.path(step);
            }
            return parent;
        }

        private Place place(Place object) {
            Place place = object;
            for (String step : above) {
                place = place.field(step);
            }
            return last.isEmpty() ? place : place.field(last);
        }
    }

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
        JsonNode parent = field.parent(object);
        if (field.each()) {
            Fields.each(parent.path(field.last()), item -> filling.fill(item, ""));
        } else {
            Fields.ifObject(parent, found -> filling.fill(found, field.last()));
        }
    }

    private boolean holds(JsonNode object) {
        for (Condition condition : conditions) {
            if (!condition.holds(object)) {
                return false;
            }
        }
        return true;
    }

    void check(Place object) {
        if (!holds(object.value())) {
            return;
        }
        Place place = told(object, field.place(object));
        if (field.each()) {
            place.each().forEach(this::apply);
        } else {
            apply(place);
        }
    }

    private Place told(Place object, Place place) {
        return told == null ? place : place.besides(object, told);
    }

    /** Whether what stands below a field is not looked at, or by this rule. */
    boolean closes(String name) {
        return field.text().equals(name)
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

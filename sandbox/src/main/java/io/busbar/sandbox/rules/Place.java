package io.busbar.sandbox.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A value that is checked: where it stands, what stands around it, and what it was before. Nearly all have nothing to
 * tell, so where it stands is put into words only when that is asked for.
 *
 * <p>One thread.
 */
public final class Place {

    private static final Pattern LAST_STEP = Pattern.compile("(\\.\\w+|\\[\\d+\\])$");

    private final Causes causes;
    private final @Nullable Place around;
    private final String step;
    private @Nullable String type;
    private final JsonNode value;
    private final JsonNode before;
    private final @Nullable Place parent;
    private final @Nullable TypeRules rules;

    private Place(
            Causes causes,
            @Nullable TypeRules rules,
            @Nullable Place around,
            String step,
            @Nullable String type,
            JsonNode value,
            JsonNode before,
            @Nullable Place parent) {
        this.causes = causes;
        this.rules = rules;
        this.around = around;
        this.step = step;
        this.type = type;
        this.value = value;
        this.before = before;
        this.parent = parent;
    }

    /**
     * A whole object.
     *
     * @param type of the object, such as {@code core.v1.Pod}
     * @param before missing for a creation
     */
    public static Place of(Causes causes, String type, JsonNode object, JsonNode before) {
        return of(causes, type, object, before, null);
    }

    /** A whole object, checked by these rules. */
    static Place of(Causes causes, String type, JsonNode object, JsonNode before, @Nullable TypeRules rules) {
        return new Place(causes, rules, null, "", type, object, before, null);
    }

    /**
     * Checks this value, or each item of this list, by the rules of its type, now rather than after all of what is
     * around it.
     */
    public void inside() {
        if (rules != null) {
            (value.isArray() ? each() : List.of(this)).forEach(rules::checkObject);
        }
    }

    public Causes causes() {
        return causes;
    }

    public String path() {
        String path = around == null ? "" : around.path();
        String last = step;
        for (; last.startsWith("^"); last = last.substring(1)) {
            path = LAST_STEP.matcher(path).replaceFirst("");
        }
        return path.isEmpty() || last.isEmpty() || last.startsWith("[") ? path + last : path + "." + last;
    }

    /** The published type of the value, or of a list's items or a map's values. */
    public String type() {
        String known = type;
        if (known == null) {
            known = around == null ? "" : TypeRules.typeOf(around.type(), step);
            type = known;
        }
        return known;
    }

    public JsonNode value() {
        return value;
    }

    /** What it was; missing for what is new. */
    public JsonNode before() {
        return before;
    }

    public JsonNode get(String field) {
        return value.path(field);
    }

    public String text(String field) {
        return value.path(field).asText();
    }

    /** Whether nothing is said here: no value, or an empty text, list or map. */
    public boolean isBlank() {
        return isBlank(value);
    }

    static boolean isBlank(JsonNode value) {
        return value.isMissingNode()
                || value.isNull()
                || (value.isTextual() ? value.textValue().isEmpty() : value.isArray() && value.isEmpty());
    }

    /** Whether the object is there already, and this is an update of it. */
    public boolean updates() {
        return !root().before.isMissingNode();
    }

    /** The whole object. */
    public Place root() {
        Place place = this;
        while (place.parent != null) {
            place = place.parent;
        }
        return place;
    }

    /** What the value is part of; a list's items are part of what the list is part of. */
    public Place parent() {
        return parent == null ? this : parent;
    }

    /** The nearest value of a type around this one; this one, if it is of the type; null if there is none. */
    public @Nullable Place within(String ofType) {
        for (Place place = this; place != null; place = place.parent) {
            if (place.type().equals(ofType) && place.value.isObject()) {
                return place;
            }
        }
        return null;
    }

    public Place field(String name) {
        return new Place(causes, rules, this, name, null, value.path(name), before.path(name), this);
    }

    Place field(String name, String fieldType) {
        return new Place(causes, rules, this, name, fieldType, value.path(name), before.path(name), this);
    }

    /** The value, or an empty object in place of none. */
    Place orEmpty() {
        return value.isMissingNode()
                ? new Place(causes, rules, this, "", type(), JsonNodeFactory.instance.objectNode(), before, parent)
                : this;
    }

    /** Goes down several fields, told apart by dots. */
    public Place at(String fields) {
        Place place = this;
        int start = 0;
        for (int dot; (dot = fields.indexOf('.', start)) >= 0; start = dot + 1) {
            place = place.field(fields.substring(start, dot));
        }
        return place.field(start == 0 ? fields : fields.substring(start));
    }

    /** The items of a list, or the values of a map; of a list's items it is not known what they were. */
    public List<Place> each() {
        List<Place> places = new ArrayList<>(value.size());
        if (value.isObject()) {
            for (Map.Entry<String, JsonNode> entry : value.properties()) {
                places.add(entry(entry.getKey()));
            }
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            places.add(new Place(
                    causes, rules, this, "[" + i + "]", type(), value.path(i), MissingNode.getInstance(), parent));
        }
        return places;
    }

    /** The items of a list in a field. */
    public List<Place> each(String field) {
        return field(field).each();
    }

    /** The value of a map under a key. */
    public Place entry(String key) {
        return new Place(causes, rules, this, "[" + key + "]", type(), value.path(key), before.path(key), parent);
    }

    /** The same value, told of under another path. */
    public Place besides(String otherPath) {
        return besides(root(), otherPath);
    }

    /**
     * The same value, told of beside another.
     *
     * @param otherStep from that to what is told; each {@code ^} before it takes back a step, empty for that itself
     */
    Place besides(Place other, String otherStep) {
        return new Place(causes, rules, other, otherStep, type(), value, before, parent);
    }

    public void required() {
        required("");
    }

    public void required(String detail) {
        causes.required(path(), detail);
    }

    public void invalid(String detail) {
        causes.add(FieldCause.invalid(path(), shown(), detail));
    }

    /** @param shown in place of the value, as the message shows it */
    public void invalid(String shown, String detail) {
        causes.add(FieldCause.invalid(path(), shown, detail));
    }

    public void invalid(Collection<String> details) {
        details.forEach(this::invalid);
    }

    /** @param shown in place of the value, as the message shows it */
    public void invalid(String shown, Collection<String> details) {
        details.forEach(detail -> invalid(shown, detail));
    }

    /** The value is not shown. */
    public void invalidAsAWhole(String detail) {
        causes.add(new FieldCause("FieldValueInvalid", path(), "Invalid value: " + detail));
    }

    public void forbidden(String detail) {
        causes.forbidden(path(), detail);
    }

    /** Nothing is an empty text here. */
    public void unsupported(Collection<String> supported) {
        unsupported(value.isMissingNode() ? "\"\"" : shown(), supported);
    }

    /** @param shown in place of the value */
    public void unsupported(String shown, Collection<String> supported) {
        causes.add(FieldCause.unsupported(path(), shown, GoValue.quoted(supported)));
    }

    public void duplicate() {
        duplicate(shown());
    }

    /** @param shown in place of the value */
    public void duplicate(String shown) {
        causes.add(new FieldCause("FieldValueDuplicate", path(), "Duplicate value: " + shown));
    }

    public void tooLong(int most) {
        causes.add(FieldCause.tooLong(path(), most));
    }

    public void notFound() {
        causes.notFound(path(), value.asText());
    }

    /** As messages show the value. */
    public String shown() {
        return GoValue.shown(type(), value);
    }

    /** Whether it is different from what it was. */
    public boolean changed() {
        return !value.equals(before);
    }
}

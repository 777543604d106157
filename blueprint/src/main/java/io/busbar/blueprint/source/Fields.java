package io.busbar.blueprint.source;

import java.util.List;
import java.util.Optional;

/**
 * Reads the fields of a map: tells of those that are not known, are missing, or are of another type.
 *
 * <p>One thread.
 */
public final class Fields {

    private final SourceNode node;
    private final Problems problems;

    /** @param allowed all names that there can be */
    public Fields(SourceNode node, Problems problems, String... allowed) {
        this.node = node;
        this.problems = problems;
        if (!node.isMap()) {
            problems.add(node.place(), "must be a map, and is " + node.shown());
        }
        List<String> known = List.of(allowed);
        for (var field : node.entries()) {
            if (!known.contains(field.getKey())) {
                problems.add(field.getValue().keyPlace(), "unknown field; allowed: " + String.join(", ", known));
            }
        }
    }

    /** A field that must be a map. */
    public Optional<SourceNode> map(String name) {
        return present(name).filter(field -> is(field, field.isMap(), "a map"));
    }

    /** The items of a field that must be a list; none when it is absent. */
    public List<SourceNode> list(String name) {
        return present(name)
                .filter(field -> is(field, field.isList(), "a list"))
                .map(SourceNode::items)
                .orElse(List.of());
    }

    /** The items of a field that must be a list of texts. */
    public List<SourceNode> texts(String name) {
        return list(name).stream()
                .filter(item -> is(item, item.isText(), "a text"))
                .toList();
    }

    /** A field that must be a text. */
    public Optional<SourceNode> text(String name) {
        return present(name).filter(field -> is(field, field.isText(), "a text"));
    }

    /** A text that must be there and not be empty; empty when it is not. */
    public String requiredText(String name) {
        if (missing(name)) {
            return "";
        }
        Optional<SourceNode> field = text(name);
        if (field.isPresent() && field.get().text().isBlank()) {
            problems.add(field.get().place(), "must not be empty");
        }
        return field.map(SourceNode::text).orElse("");
    }

    /** A map that must be there. */
    public Optional<SourceNode> requiredMap(String name) {
        return missing(name) ? Optional.empty() : map(name);
    }

    private boolean missing(String name) {
        if (present(name).isPresent()) {
            return false;
        }
        if (node.isMap()) {
            Place place = node.field(name).map(SourceNode::keyPlace).orElse(node.keyPlace());
            problems.add(place, "the field '" + name + "' is missing");
        }
        return true;
    }

    /** A field of any type. */
    public Optional<SourceNode> any(String name) {
        return present(name);
    }

    private Optional<SourceNode> present(String name) {
        return node.field(name).filter(field -> !field.isNull());
    }

    private boolean is(SourceNode field, boolean fits, String wanted) {
        if (!fits) {
            problems.add(field.place(), "must be " + wanted + ", and is " + field.shown());
        }
        return fits;
    }
}

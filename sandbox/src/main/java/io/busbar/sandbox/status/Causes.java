package io.busbar.sandbox.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.sandbox.syntax.GoText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Collects what is wrong with an object, field by field, in the words of apimachinery's field errors.
 *
 * <p>One thread.
 */
public final class Causes {

    private final List<FieldCause> list = new ArrayList<>();

    /** A snapshot, in the order of finding. */
    public List<FieldCause> list() {
        return List.copyOf(list);
    }

    public boolean isEmpty() {
        return list.isEmpty();
    }

    public Causes add(FieldCause cause) {
        list.add(cause);
        return this;
    }

    public Causes addAll(Collection<FieldCause> causes) {
        list.addAll(causes);
        return this;
    }

    /** @param detail empty for none */
    public Causes required(String field, String detail) {
        return add(FieldCause.required(field, detail));
    }

    public Causes invalid(String field, JsonNode value, String detail) {
        return add(FieldCause.invalid(field, GoText.badValue(value), detail));
    }

    public Causes invalid(String field, String value, String detail) {
        return invalid(field, TextNode.valueOf(value), detail);
    }

    /** One cause for each complaint about a value. */
    public Causes invalid(String field, String value, List<String> complaints) {
        complaints.forEach(complaint -> invalid(field, value, complaint));
        return this;
    }

    public Causes duplicate(String field, JsonNode value) {
        return add(new FieldCause("FieldValueDuplicate", field, "Duplicate value: " + GoText.badValue(value)));
    }

    public Causes notFound(String field, String value) {
        return add(new FieldCause("FieldValueNotFound", field, "Not found: " + GoText.quote(value)));
    }

    public Causes forbidden(String field, String detail) {
        return add(FieldCause.forbidden(field, detail));
    }

    public Causes unsupported(String field, JsonNode value, Collection<String> supported) {
        String quoted = supported.stream().map(GoText::quote).collect(Collectors.joining(", "));
        return add(FieldCause.unsupported(field, GoText.badValue(value), quoted));
    }
}

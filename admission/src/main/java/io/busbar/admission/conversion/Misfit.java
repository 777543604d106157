package io.busbar.admission.conversion;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.util.Collection;
import java.util.Set;

/**
 * Why an object cannot be read as its type, in the words of the API rather than Java's. Immutable.
 *
 * @param path of the field, as people write it: {@code spec.parts[0].name}; empty where none is known
 * @param value that is there, shortened
 * @param reason what is allowed, or what went wrong
 */
public record Misfit(String path, String value, String reason) {

    private static final int LONGEST_VALUE = 100;
    private static final Set<Class<?>> INTEGERS = Set.of(int.class, Integer.class, long.class, Long.class);
    private static final Set<Class<?>> NUMBERS = Set.of(double.class, Double.class, float.class, Float.class);
    private static final Set<Class<?>> BOOLEANS = Set.of(boolean.class, Boolean.class);

    /** @param raw the object that could not be read */
    public static Misfit of(JsonNode raw, JsonProcessingException failure) {
        if (!(failure instanceof JsonMappingException mapping)) {
            return new Misfit("", "", firstLine(failure));
        }
        StringBuilder path = new StringBuilder();
        JsonNode value = raw;
        for (JsonMappingException.Reference step : mapping.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
                value = value.path(step.getIndex());
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
                value = value.path(step.getFieldName());
            }
        }
        return new Misfit(path.toString(), shown(value), reason(mapping));
    }

    private static String shown(JsonNode value) {
        String text = value.isValueNode() ? value.asText() : value.toString();
        return text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE) + "…";
    }

    private static String reason(JsonMappingException failure) {
        return failure instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null
                ? "must be of type " + typeInTheApi(mismatch.getTargetType())
                : firstLine(failure);
    }

    private static String firstLine(JsonProcessingException failure) {
        return failure.getOriginalMessage().lines().findFirst().orElse("cannot be read");
    }

    private static String typeInTheApi(Class<?> type) {
        if (INTEGERS.contains(type)) {
            return "integer";
        } else if (NUMBERS.contains(type)) {
            return "number";
        } else if (BOOLEANS.contains(type)) {
            return "boolean";
        } else if (type == String.class) {
            return "string";
        }
        return type.isArray() || Collection.class.isAssignableFrom(type) ? "array" : "object";
    }

    /** As Kubernetes tells of an invalid value. */
    @Override
    public String toString() {
        return path.isEmpty() ? reason : path + ": Invalid value: \"" + value + "\": " + reason;
    }
}

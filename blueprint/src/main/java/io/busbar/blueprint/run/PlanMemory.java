package io.busbar.blueprint.run;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.render.Rendering.PlanCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the status of an instance keeps of the plans that begin by themselves, in its field {@code plans}: by it a
 * process that is killed anywhere is followed by one that begins each once.
 *
 * <p>Immutable, but for the spec, which is not to be changed.
 *
 * @param spec of the instance, as it was when plans were last decided on, without fields that are null, which a patch
 *     of the status does not store; null before that
 * @param begun the number of the last run; 0 for none
 * @param run the name of the last one; empty for none
 * @param next what is to begin, in this order
 * @param holding the plans whose triggers held when they were last looked at, with the parameters that they had
 * @param deleted whether the plan before the instance goes has been carried out
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
record PlanMemory(
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JsonNode spec,
        long begun,
        String run,
        List<PlanCall> next,
        Map<String, Map<String, String>> holding,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean deleted) {

    static final PlanMemory EMPTY = new PlanMemory(null, 0, "", List.of(), Map.of(), false);

    PlanMemory {
        spec = spec == null ? null : withoutNulls(spec);
        run = Objects.requireNonNullElse(run, "");
        next = next == null ? List.of() : List.copyOf(next);
        holding = holding == null ? Map.of() : Map.copyOf(holding);
    }

    /** Without the fields of objects that are null; items of lists stay. */
    private static JsonNode withoutNulls(JsonNode value) {
        if (value.isObject()) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            value.properties().stream()
                    .filter(field -> !field.getValue().isNull())
                    .forEach(field -> object.set(field.getKey(), withoutNulls(field.getValue())));
            return object;
        }
        if (value.isArray()) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            value.forEach(item -> array.add(withoutNulls(item)));
            return array;
        }
        return value;
    }

    /** Whether plans have been decided on for this spec. */
    boolean isOf(JsonNode now) {
        return spec != null && spec.equals(withoutNulls(now));
    }

    /** The last run has had this number, as is known from it. */
    PlanMemory after(long number) {
        return new PlanMemory(spec, number, run, next, holding, deleted);
    }

    /** Plans have been decided on. */
    PlanMemory decided(JsonNode now, List<PlanCall> toBegin, Map<String, Map<String, String>> held) {
        return new PlanMemory(now, begun, run, toBegin, held, deleted);
    }

    /** The first of those that are to begin has begun. */
    PlanMemory begun(String name, long number) {
        return new PlanMemory(spec, number, name, new ArrayList<>(next.subList(1, next.size())), holding, deleted);
    }

    /** A run that has failed is not the last one any more. */
    PlanMemory withoutRun() {
        return new PlanMemory(spec, begun, "", next, holding, deleted);
    }

    PlanMemory asDeleted() {
        return new PlanMemory(spec, begun, run, List.of(), Map.of(), true);
    }
}

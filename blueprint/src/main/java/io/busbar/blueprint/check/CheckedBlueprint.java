package io.busbar.blueprint.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.Blueprint;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.types.Shape;
import java.util.List;
import java.util.Map;

/**
 * A Blueprint that can work.
 *
 * <p>Any thread.
 *
 * @param resources in the order in which they are made
 * @param plans in the order in which they are written
 * @param instance the shape of an instance, as the variable {@code schema}
 * @param status the texts of the status with expressions, by the very node that they stand in
 * @param statusSchema what the fields of the status are, as OpenAPI v3
 */
public record CheckedBlueprint(
        Blueprint blueprint,
        List<CheckedResource> resources,
        List<CheckedPlan> plans,
        Shape instance,
        Map<SourceNode, CheckedText> status,
        JsonNode statusSchema) {}

package io.busbar.operator.sidecarset.hash;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import java.util.List;
import java.util.Random;

/** Containers in which each declared field is present or not, and zero or not, by chance. */
public final class RandomContainers {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> TEXTS = List.of("", "a", "HTTP", "<&>", "żółw\u2028", "Always");
    private static final List<String> QUANTITIES =
            List.of("0", "1", "1000m", "1.0001", "1024Mi", "0.5Gi", "3e9", "nonsense");

    private final Random random;

    public RandomContainers(long seed) {
        random = new Random(seed);
    }

    public SidecarContainer next() throws Exception {
        return JSON.treeToValue(value(ContainerShape.CONTAINER), SidecarContainer.class);
    }

    private JsonNode value(GoType type) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (type instanceof GoType.Struct struct) {
            ObjectNode object = nodes.objectNode();
            struct.fields().stream()
                    .filter(field -> random.nextInt(3) > 0)
                    .forEach(field -> object.set(field.name(), value(field.type())));
            return object;
        } else if (type instanceof GoType.Pointer pointer) {
            return value(pointer.target());
        } else if (type instanceof GoType.ListOf list) {
            ArrayNode array = nodes.arrayNode();
            for (int i = random.nextInt(3); i > 0; i--) {
                array.add(value(list.element()));
            }
            return array;
        } else if (type instanceof GoType.MapOf map) {
            ObjectNode object = nodes.objectNode();
            for (int i = random.nextInt(3); i > 0; i--) {
                object.set("k" + i, value(map.element()));
            }
            return object;
        }
        return switch ((GoType.Scalar) type) {
            case STRING -> nodes.textNode(TEXTS.get(random.nextInt(TEXTS.size())));
            case INT -> nodes.numberNode(random.nextInt(3));
            case BOOL -> nodes.booleanNode(random.nextBoolean());
            case INT_OR_STRING -> random.nextBoolean() ? nodes.numberNode(random.nextInt(3)) : nodes.textNode("http");
            case QUANTITY, MILLI_QUANTITY -> nodes.textNode(QUANTITIES.get(random.nextInt(QUANTITIES.size())));
        };
    }
}

package io.busbar.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Random;

/** Small JSON values over few names, so that two of them often meet at a place. */
public final class RandomJson {

    private static final String[] NAMES = {"a", "b", "c", "d/e", "~"};
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Random random;

    public RandomJson(long seed) {
        this.random = new Random(seed);
    }

    public Random random() {
        return random;
    }

    public ObjectNode object(int depth) {
        ObjectNode object = NODES.objectNode();
        for (String name : NAMES) {
            if (random.nextBoolean()) {
                object.set(name, value(depth - 1));
            }
        }
        return object;
    }

    public JsonNode value(int depth) {
        int kind = random.nextInt(depth <= 0 ? 4 : 7);
        return switch (kind) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.numberNode(random.nextInt(3));
            case 2 -> NODES.textNode(NAMES[random.nextInt(NAMES.length)]);
            case 3 -> NODES.booleanNode(random.nextBoolean());
            case 4 -> array(depth);
            default -> object(depth);
        };
    }

    private ArrayNode array(int depth) {
        ArrayNode array = NODES.arrayNode();
        for (int i = random.nextInt(3); i > 0; i--) {
            array.add(value(depth - 1));
        }
        return array;
    }
}

package io.busbar.admission.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Documents like those of Kubernetes, and documents a little different from others. */
final class RandomJson {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final List<String> NAMES =
            List.of("spec", "a/b", "m~n", "~1", "", "name", "grüße", "x.io/key", "0", "-");

    private final Random random;

    RandomJson(long seed) {
        random = new Random(seed);
    }

    JsonNode document(int depth) {
        return switch (random.nextInt(depth <= 0 ? 6 : 10)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(random.nextBoolean());
            case 2 -> NODES.numberNode(random.nextInt(4));
            case 3 -> NODES.numberNode(random.nextLong());
            case 4 -> NODES.numberNode(random.nextInt(8) / 4.0);
            case 5 -> NODES.textNode(NAMES.get(random.nextInt(NAMES.size())));
            case 6 -> list(depth);
            case 7 -> named(depth);
            default -> object(depth);
        };
    }

    private ObjectNode object(int depth) {
        ObjectNode result = NODES.objectNode();
        for (int i = random.nextInt(5); i > 0; i--) {
            result.set(NAMES.get(random.nextInt(NAMES.size())), document(depth - 1));
        }
        return result;
    }

    private ArrayNode list(int depth) {
        ArrayNode result = NODES.arrayNode();
        for (int i = random.nextInt(5); i > 0; i--) {
            result.add(document(depth - 1));
        }
        return result;
    }

    private ArrayNode named(int depth) {
        ArrayNode result = NODES.arrayNode();
        List<Integer> numbers = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5));
        Collections.shuffle(numbers, random);
        for (int number : numbers.subList(0, random.nextInt(6))) {
            result.add(object(depth - 1).put("name", "n" + number));
        }
        return result;
    }

    /** The same but for a few places. */
    JsonNode edited(JsonNode document) {
        JsonNode copy = document.deepCopy();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            edit(copy);
        }
        return copy;
    }

    private void edit(JsonNode node) {
        if (node instanceof ObjectNode object) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            if (names.isEmpty() || random.nextInt(4) == 0) {
                object.set(NAMES.get(random.nextInt(NAMES.size())), document(1));
            } else {
                String name = names.get(random.nextInt(names.size()));
                switch (random.nextInt(4)) {
                    case 0 -> object.remove(name);
                    case 1 -> object.set(name, document(1));
                    default -> edit(object.get(name));
                }
            }
        } else if (node instanceof ArrayNode list) {
            int at = random.nextInt(list.size() + 1);
            switch (random.nextInt(5)) {
                case 0 -> list.insert(at, document(1));
                case 1 -> list.insert(at, NODES.objectNode().put("name", "n" + random.nextInt(9)));
                case 2 -> list.insert(at, list.isEmpty() ? NODES.nullNode() : list.remove(random.nextInt(list.size())));
                case 3 -> list.remove(at);
                default -> {
                    if (at < list.size()) {
                        edit(list.get(at));
                    }
                }
            }
        }
    }
}

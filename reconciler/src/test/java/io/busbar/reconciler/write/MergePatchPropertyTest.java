package io.busbar.reconciler.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.function.IntFunction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class MergePatchPropertyTest {

    @Property
    void applied_to_the_first_object_gives_the_second(
            @ForAll("objects") ObjectNode before, @ForAll("objects") ObjectNode after) {
        assertThat(apply(before, MergePatch.between(before, after))).isEqualTo(after);
    }

    @Property
    void between_equal_objects_is_empty(@ForAll("objects") ObjectNode object) {
        assertThat(MergePatch.between(object, object.deepCopy())).isEmpty();
    }

    @Property
    void does_not_tell_apart_how_a_number_is_held(@ForAll("objects") ObjectNode object) {
        assertThat(MergePatch.between(object, withNumbers(object, LongNode::new)))
                .isEmpty();
        assertThat(MergePatch.between(withNumbers(object, DoubleNode::new), object))
                .isEmpty();
    }

    private static JsonNode withNumbers(JsonNode value, IntFunction<JsonNode> held) {
        if (value.isObject()) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            value.properties().forEach(field -> object.set(field.getKey(), withNumbers(field.getValue(), held)));
            return object;
        }
        if (value.isArray()) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            value.forEach(item -> array.add(withNumbers(item, held)));
            return array;
        }
        return held.apply(value.intValue());
    }

    @Property
    void the_fingerprint_is_the_same_for_equal_objects_and_only_for_them(
            @ForAll("objects") ObjectNode one, @ForAll("objects") ObjectNode other) {
        ObjectNode reversed = JsonNodeFactory.instance.objectNode();
        one.properties().stream()
                .sorted(Map.Entry.<String, JsonNode>comparingByKey().reversed())
                .forEach(field -> reversed.set(field.getKey(), field.getValue()));

        assertThat(Fingerprint.of(reversed)).isEqualTo(Fingerprint.of(one));
        assertThat(Fingerprint.of(one).equals(Fingerprint.of(other))).isEqualTo(one.equals(other));
    }

    /** RFC 7386, section 2. */
    private static JsonNode apply(JsonNode target, JsonNode patch) {
        if (!patch.isObject()) {
            return patch;
        }
        ObjectNode result = target.isObject() ? target.deepCopy() : JsonNodeFactory.instance.objectNode();
        patch.properties().forEach(field -> {
            if (field.getValue().isNull()) {
                result.remove(field.getKey());
            } else {
                JsonNode old = result.has(field.getKey())
                        ? result.get(field.getKey())
                        : JsonNodeFactory.instance.missingNode();
                result.set(field.getKey(), apply(old, field.getValue()));
            }
        });
        return result;
    }

    @Provide
    Arbitrary<ObjectNode> objects() {
        return object(object(object(values())));
    }

    private static Arbitrary<JsonNode> values() {
        return Arbitraries.oneOf(
                Arbitraries.integers().between(0, 2).map(IntNode::new),
                Arbitraries.integers()
                        .between(0, 2)
                        .map(IntNode::new)
                        .list()
                        .ofMaxSize(2)
                        .map(list -> JsonNodeFactory.instance.arrayNode().addAll(list)));
    }

    private static Arbitrary<ObjectNode> object(Arbitrary<? extends JsonNode> members) {
        Arbitrary<JsonNode> any = Arbitraries.oneOf(values(), members.map(member -> member));
        return Arbitraries.maps(Arbitraries.of("a", "b", "c"), any).ofMaxSize(3).map(map -> {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            map.forEach(object::set);
            return object;
        });
    }
}

package io.busbar.operator.sidecarset.hash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each field that a container has, at any depth, counts for its hash. */
class HashCoverageTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** A field's way from the container, and the least JSON that sets it. */
    private record Leaf(String path, JsonNode value) {

        Leaf in(String field) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            return new Leaf(
                    field + (path.startsWith("[") || path.isEmpty() ? "" : ".") + path, object.set(field, value));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("leaves")
    void counts(String path, JsonNode container) throws Exception {
        ObjectNode without = JsonNodeFactory.instance.objectNode().put("image", "a:1");
        ObjectNode with = without.deepCopy().setAll((ObjectNode) container);

        assertThat(hash(with).whole()).isNotEqualTo(hash(without).whole());
        assertThat(hash(with).withoutImage().equals(hash(without).withoutImage()))
                .as("the hash without images is equal")
                .isEqualTo(path.equals("image"));
    }

    static Stream<Arguments> leaves() {
        List<Leaf> leaves = leaves(ContainerShape.CONTAINER).toList();
        assertThat(leaves).extracting(Leaf::path).contains("livenessProbe.httpGet.httpHeaders[].value", "tty");
        return leaves.stream().map(leaf -> Arguments.of(leaf.path(), leaf.value()));
    }

    private static Stream<Leaf> leaves(GoType type) {
        if (type instanceof GoType.Struct struct) {
            return struct.fields().stream()
                    .flatMap(field -> leaves(field.type()).map(leaf -> leaf.in(field.name())));
        } else if (type instanceof GoType.Pointer pointer) {
            return leaves(pointer.target());
        } else if (type instanceof GoType.ListOf list) {
            return leaves(list.element())
                    .map(leaf -> new Leaf(
                            "[]" + (leaf.path().isEmpty() ? "" : "." + leaf.path()),
                            JsonNodeFactory.instance.arrayNode().add(leaf.value())));
        } else if (type instanceof GoType.MapOf map) {
            return leaves(map.element()).map(leaf -> leaf.in("key"));
        }
        return Stream.of(new Leaf("", scalar((GoType.Scalar) type)));
    }

    private static JsonNode scalar(GoType.Scalar type) {
        return switch (type) {
            case STRING -> TextNode.valueOf("b:2");
            case INT, INT_OR_STRING -> IntNode.valueOf(7);
            case BOOL -> BooleanNode.TRUE;
            case QUANTITY, MILLI_QUANTITY -> TextNode.valueOf("3");
        };
    }

    private static SidecarSetHash hash(JsonNode container) throws Exception {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.putArray("containers").add(container);
        return SidecarSetHash.of(JSON.treeToValue(spec, SidecarSetSpec.class));
    }
}

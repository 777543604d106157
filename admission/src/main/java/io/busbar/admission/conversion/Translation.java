package io.busbar.admission.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.function.Function;

/**
 * From one version to another, such that nothing is lost.
 *
 * <p>Any thread, if the functions are. What comes out is converted back at once: where that is not what went in, the
 * difference goes along in an annotation.
 */
record Translation<A extends HasMetadata, B extends HasMetadata>(
        Model<A> from, Model<B> to, Function<A, B> there, Function<B, A> back) {

    private static final List<String> CHANGEABLE = List.of("labels", "annotations");

    Translation<B, A> reversed() {
        return new Translation<>(to, from, back, there);
    }

    /**
     * @param object is left as it is
     * @throws RuntimeException as the functions throw, and for an object that does not fit its type
     */
    ObjectNode apply(ObjectNode object) {
        ObjectNode source = object.deepCopy();
        Keepsake brought = Keepsake.takeFrom(source, to.resource().version());
        ObjectNode original = from.encode(from.decode(source));
        ObjectNode plain = pass(original, from, to, there);
        ObjectNode made;
        ObjectNode again;
        try {
            made = brought.giveBackTo(plain);
            again = pass(made, to, from, back);
        } catch (RuntimeException e) {
            // Anybody may write annotations: one that does not fit must not keep the object from being read.
            made = plain;
            again = pass(plain, to, from, back);
        }
        new Keepsake(Loss.between(comparable(original), comparable(again)))
                .putOn(made, from.resource().version());
        return withMetadataOf(object, made);
    }

    /** One function, on JSON. */
    private static <X extends HasMetadata, Y extends HasMetadata> ObjectNode pass(
            ObjectNode object, Model<X> from, Model<Y> to, Function<X, Y> function) {
        X argument = from.decode(object);
        Y result = function.apply(argument);
        ObjectNode made = to.encode(result);
        if (made.path("metadata").isEmpty()) {
            made.set("metadata", object.path("metadata").deepCopy());
        }
        return made;
    }

    /** Without what the API server does not let a conversion change. */
    private static ObjectNode comparable(ObjectNode object) {
        ObjectNode result = object.objectNode();
        result.setAll(object);
        result.remove(List.of("apiVersion", "kind"));
        ObjectNode metadata = result.putObject("metadata");
        CHANGEABLE.forEach(field -> copy(field, object.path("metadata"), metadata));
        return result;
    }

    private static ObjectNode withMetadataOf(ObjectNode original, ObjectNode made) {
        ObjectNode metadata = original.path("metadata") instanceof ObjectNode present
                ? present.deepCopy()
                : JsonNodeFactory.instance.objectNode();
        metadata.remove(CHANGEABLE);
        CHANGEABLE.forEach(field -> copy(field, made.path("metadata"), metadata));
        made.set("metadata", metadata);
        return made;
    }

    /** Unless there is nothing in it. */
    private static void copy(String field, JsonNode from, ObjectNode to) {
        if (!from.path(field).isEmpty()) {
            to.set(field, from.get(field));
        }
    }
}

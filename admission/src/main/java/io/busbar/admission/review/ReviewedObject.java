package io.busbar.admission.review;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An object of a review: where it and its metadata stand in the body, which was checked. managedFields are left out:
 * they are often the larger part of what there is to decode, and no rule's business.
 *
 * <p>One context. Each is decoded once, when first asked for.
 */
final class ReviewedObject {

    private final byte[] body;
    private final Slice whole;
    private final @Nullable Slice metadata;
    private final @Nullable Slice cut;
    private @Nullable ObjectNode decoded;
    private @Nullable ObjectNode decodedMetadata;

    /**
     * @param metadata within the whole
     * @param cut within metadata: leaves JSON when it is cut out
     */
    ReviewedObject(byte[] body, Slice whole, @Nullable Slice metadata, @Nullable Slice cut) {
        this.body = body;
        this.whole = whole;
        this.metadata = metadata;
        this.cut = cut;
    }

    /**
     * A part of the body.
     *
     * @param end exclusive
     */
    record Slice(int begin, int end) {}

    ObjectNode object() {
        ObjectNode node = decoded;
        if (node == null) {
            node = decode(whole);
            decoded = node;
        }
        return node;
    }

    ObjectNode metadata() {
        ObjectNode node = decodedMetadata;
        if (node == null) {
            node = metadata == null ? JsonNodeFactory.instance.objectNode() : decode(metadata);
            decodedMetadata = node;
        }
        return node;
    }

    private ObjectNode decode(Slice slice) {
        try {
            return cut == null
                    ? (ObjectNode) Json.TREES.readTree(body, slice.begin(), slice.end() - slice.begin())
                    : (ObjectNode) Json.TREES.readTree(without(cut, slice));
        } catch (IOException e) {
            // It is well-formed, so what remains are limits of the decoder.
            throw new MalformedReviewException("the object in the review cannot be decoded: " + e.getMessage());
        }
    }

    private byte[] without(Slice gone, Slice slice) {
        int head = gone.begin() - slice.begin();
        int tail = slice.end() - gone.end();
        byte[] result = Arrays.copyOfRange(body, slice.begin(), slice.begin() + head + tail);
        System.arraycopy(body, gone.end(), result, head, tail);
        return result;
    }
}

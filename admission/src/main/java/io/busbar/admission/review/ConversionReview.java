package io.busbar.admission.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.conversion.Conversions;
import io.busbar.admission.conversion.UnconvertibleException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A request of {@code apiextensions.k8s.io/v1} to convert objects, all to one version.
 *
 * <p>Immutable, as long as nobody changes the objects.
 */
public record ConversionReview(String uid, String desiredApiVersion, List<ObjectNode> objects) {

    private static final String API_VERSION = "apiextensions.k8s.io/v1";
    private static final String KIND = "ConversionReview";

    /**
     * @throws MalformedReviewException when it is no review, or lacks what an answer needs
     */
    public static ConversionReview read(byte[] body) {
        JsonNode review = tree(body);
        expect("kind", review.path("kind").asText(), KIND);
        expect("apiVersion", review.path("apiVersion").asText(), API_VERSION);
        JsonNode request = review.path("request");
        String uid = request.path("uid").asText();
        String desired = request.path("desiredAPIVersion").asText();
        if (uid.isEmpty() || desired.isEmpty()) {
            throw new MalformedReviewException("the request has no " + (uid.isEmpty() ? "uid" : "desiredAPIVersion"));
        }
        List<ObjectNode> objects = new ArrayList<>();
        for (JsonNode object : request.path("objects")) {
            if (!(object instanceof ObjectNode one)) {
                throw new MalformedReviewException("request.objects[" + objects.size() + "] is not an object");
            }
            objects.add(one);
        }
        return new ConversionReview(uid, desired, List.copyOf(objects));
    }

    private static JsonNode tree(byte[] body) {
        try {
            return Json.TREES.readTree(body);
        } catch (IOException e) {
            throw new MalformedReviewException("the body is not valid JSON: " + e.getMessage());
        }
    }

    private static void expect(String field, String is, String expected) {
        if (!is.equals(expected)) {
            throw new MalformedReviewException(field + " is '" + is + "', expected " + expected);
        }
    }

    /** All objects in the other version; a Failure that says why as soon as one cannot be converted. */
    public byte[] answer(Conversions conversions) {
        List<ObjectNode> converted = new ArrayList<>();
        try {
            for (ObjectNode object : objects) {
                converted.add(conversions.convert(object, desiredApiVersion));
            }
        } catch (UnconvertibleException e) {
            return failure(String.valueOf(e.getMessage()));
        }
        ObjectNode answer = answer("Success");
        answer.withObject("/response").putArray("convertedObjects").addAll(converted);
        return write(answer);
    }

    /** That nothing was converted. */
    public byte[] failure(String message) {
        ObjectNode answer = answer("Failure");
        answer.withObject("/response/result").put("message", message);
        return write(answer);
    }

    private ObjectNode answer(String status) {
        ObjectNode answer = Json.TREES.createObjectNode();
        answer.put("kind", KIND).put("apiVersion", API_VERSION);
        ObjectNode response = answer.putObject("response").put("uid", uid);
        response.putObject("result").put("status", status);
        return answer;
    }

    private static byte[] write(ObjectNode answer) {
        try {
            return Json.TREES.writeValueAsBytes(answer);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
    }
}

package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.metadata.MetadataValidation;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.webhook.WebhookCalls;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The strategy {@code Webhook}: a ConversionReview for all objects at once.
 *
 * <p>One context. What may come back, and what is said of anything else, is as in apiextensions-apiserver's
 * {@code conversion/webhook_converter.go}: of the metadata only labels and annotations may change.
 */
final class ConversionWebhook implements Converter {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** An answer that is of no use; the text is part of what the client is told. */
    private static final class Flaw extends RuntimeException {

        Flaw(String message) {
            super(message, null, false, false);
        }
    }

    private final WebhookCalls client;
    private final String name;
    private final JsonNode clientConfig;
    private final String reviewVersion;

    /**
     * @param name of the definition
     * @param webhook its {@code spec.conversion.webhook}
     */
    ConversionWebhook(WebhookCalls client, String name, JsonNode webhook) {
        this.client = client;
        this.name = name;
        this.clientConfig = webhook.path("clientConfig");
        this.reviewVersion = "apiextensions.k8s.io/" + version(webhook.path("conversionReviewVersions"));
    }

    @Override
    public Future<List<ObjectNode>> convert(List<ObjectNode> objects, String apiVersion) {
        String of = kind(objects.get(0));
        String uid = UUID.randomUUID().toString();
        ObjectNode review = JsonNodeFactory.instance.objectNode();
        review.put("kind", "ConversionReview").put("apiVersion", reviewVersion);
        ObjectNode request = review.putObject("request").put("uid", uid).put("desiredAPIVersion", apiVersion);
        ArrayNode array = request.putArray("objects");
        objects.forEach(array::add);
        return client.call(name, clientConfig, TIMEOUT, review)
                .recover(failure -> Future.failedFuture(new Flaw("failed: " + failure.getMessage())))
                .map(answer -> converted(objects, apiVersion, response(uid, answer)))
                .recover(failure -> Future.failedFuture(
                        failure instanceof Flaw
                                ? new StatusException(
                                        500, "", "conversion webhook for " + of + " " + failure.getMessage(), null)
                                : failure));
    }

    private static String version(JsonNode versions) {
        for (JsonNode version : versions) {
            if (List.of("v1", "v1beta1").contains(version.asText())) {
                return version.asText();
            }
        }
        return "v1";
    }

    /** The {@code convertedObjects} of an answer that says Success. */
    private JsonNode response(String uid, JsonNode answer) {
        JsonNode response = answer.path("response");
        if (reviewVersion.endsWith("/v1")) {
            String actual = answer.path("apiVersion").asText() + ", Kind="
                    + answer.path("kind").asText();
            if (!actual.equals(reviewVersion + ", Kind=ConversionReview")) {
                throw new Flaw("failed: expected webhook response of " + reviewVersion + ", Kind=ConversionReview, got "
                        + actual);
            }
        }
        if (!response.isObject()) {
            throw new Flaw("failed: no response provided");
        }
        String echoed = response.path("uid").asText("");
        if (reviewVersion.endsWith("/v1") && !echoed.equals(uid)) {
            throw new Flaw("failed: expected response.uid=\"" + uid + "\", got \"" + echoed + "\"");
        }
        JsonNode result = response.path("result");
        if (!result.path("status").asText("").equals("Success")) {
            String message = result.path("message").asText("");
            throw new Flaw("failed: "
                    + (message.isEmpty()
                            ? "response.result.status was '"
                                    + result.path("status").asText("") + "', not 'Success'"
                            : message));
        }
        return response.path("convertedObjects");
    }

    private static List<ObjectNode> converted(List<ObjectNode> objects, String apiVersion, JsonNode answers) {
        if (answers.size() != objects.size()) {
            throw new Flaw("returned " + answers.size() + " objects, expected " + objects.size());
        }
        List<ObjectNode> converted = new ArrayList<>();
        for (int i = 0; i < objects.size(); i++) {
            if (!(answers.get(i) instanceof ObjectNode answer)) {
                throw new Flaw("returned invalid converted object at index " + i + ": it is no object");
            }
            converted.add(checked(objects.get(i), answer, apiVersion, i));
        }
        return converted;
    }

    private static ObjectNode checked(ObjectNode original, ObjectNode answer, String apiVersion, int index) {
        String version = answer.path("apiVersion").asText("");
        if (!version.equals(apiVersion)) {
            throw new Flaw("returned invalid object at index " + index + ": invalid groupVersion (expected "
                    + apiVersion + ", received " + version + ")");
        }
        same(
                "kind",
                original.path("kind"),
                answer.path("kind"),
                "returned invalid object at index " + index + ": invalid kind (expected %s, received %s)");
        JsonNode before = original.path("metadata");
        JsonNode after = answer.path("metadata");
        same("name", before.path("name"), after.path("name"), "");
        same("namespace", before.path("namespace"), after.path("namespace"), "");
        same("UID", before.path("uid"), after.path("uid"), "");
        ObjectNode object = answer.objectNode();
        object.setAll(answer);
        object.set("metadata", metadata(original, after));
        return object;
    }

    /** @param message with places for both; empty for the usual one */
    private static void same(String what, JsonNode before, JsonNode after, String message) {
        if (!before.asText("").equals(after.asText(""))) {
            throw new Flaw(
                    message.isEmpty()
                            ? "returned invalid object: must have the same " + what + ": " + before.asText("") + " != "
                                    + after.asText("")
                            : message.formatted(before.asText(""), after.asText("")));
        }
    }

    private static ObjectNode metadata(ObjectNode original, JsonNode answered) {
        if (!answered.isObject()) {
            throw new Flaw("returned invalid metadata: missing metadata in converted object");
        }
        ObjectNode metadata = Metadata.of(original).node().deepCopy();
        for (String field : List.of("labels", "annotations")) {
            JsonNode value = answered.path(field);
            if (!value.isMissingNode() && !value.isNull() && !value.isObject()) {
                throw new Flaw("returned invalid metadata: invalid metadata." + field + " of type "
                        + value.getNodeType() + " in converted object");
            }
            new Metadata(metadata).set(field, value);
        }
        ObjectNode shell = original.objectNode();
        shell.set("metadata", metadata);
        List<FieldCause> causes = MetadataValidation.of(shell, null);
        if (!causes.isEmpty()) {
            throw new Flaw("returned invalid metadata: "
                    + causes.stream()
                            .map(cause -> cause.field() + ": " + cause.message())
                            .collect(Collectors.joining(", ")));
        }
        return metadata;
    }

    private static String kind(ObjectNode object) {
        return object.path("apiVersion").asText() + ", Kind="
                + object.path("kind").asText();
    }
}

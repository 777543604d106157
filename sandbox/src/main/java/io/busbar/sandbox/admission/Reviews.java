package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.syntax.GoText;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes AdmissionReviews.
 *
 * <p>Any thread.
 */
public final class Reviews {

    private static final String KIND = "AdmissionReview";

    private Reviews() {}

    static ObjectNode review(Webhook webhook, ObjectNode request) {
        ObjectNode review = JsonNodeFactory.instance.objectNode();
        review.put("kind", KIND).put("apiVersion", "admission.k8s.io/" + version(webhook));
        return review.set("request", request);
    }

    /**
     * The request that is told of: what expressions know as {@code request}, too.
     *
     * @param resource the version in which the objects are shown
     * @param object in that version; null for a deletion
     * @param before in that version
     */
    public static ObjectNode request(
            AdmissionAttributes attributes,
            Resource resource,
            @Nullable ObjectNode object,
            @Nullable ObjectNode before) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("uid", UUID.randomUUID().toString());
        ResourceType own = attributes.target().resource().type();
        boolean ofObject = attributes.kind().kind().equals(own.kind());
        kind(request.putObject("kind"), attributes, ofObject ? resource.type() : null);
        resource(request.putObject("resource"), resource.type());
        String part = attributes.target().subresource();
        if (!part.isEmpty()) {
            request.put("subResource", part);
        }
        kind(request.putObject("requestKind"), attributes, null);
        resource(request.putObject("requestResource"), own);
        if (!part.isEmpty()) {
            request.put("requestSubResource", part);
        }
        if (!attributes.target().name().isEmpty()) {
            request.put("name", attributes.target().name());
        }
        if (!attributes.namespace().isEmpty()) {
            request.put("namespace", attributes.namespace());
        }
        request.put("operation", attributes.operation());
        user(request.putObject("userInfo"), attributes.options().caller());
        request.set("object", object);
        request.set("oldObject", before);
        request.put("dryRun", attributes.options().dryRun());
        request.set("options", attributes.told());
        return request;
    }

    static String version(Webhook webhook) {
        return webhook.reviewVersions().stream()
                .filter(version -> List.of("v1", "v1beta1").contains(version))
                .findFirst()
                .orElse("v1");
    }

    private static void kind(ObjectNode node, AdmissionAttributes attributes, @Nullable ResourceType type) {
        AdmissionAttributes.ObjectKind kind = attributes.kind();
        node.put("group", type == null ? kind.group() : type.group())
                .put("version", type == null ? kind.version() : type.version())
                .put("kind", type == null ? kind.kind() : type.kind());
    }

    private static void resource(ObjectNode node, ResourceType type) {
        node.put("group", type.group()).put("version", type.version()).put("resource", type.plural());
    }

    private static void user(ObjectNode node, Caller caller) {
        node.put("username", caller.username());
        if (!caller.uid().isEmpty()) {
            node.put("uid", caller.uid());
        }
        ArrayNode groups = node.putArray("groups");
        caller.groups().forEach(groups::add);
        caller.extra()
                .forEach((key, values) ->
                        values.forEach(node.withObject("/extra").withArray(key)::add));
    }

    /** Whether an answer is a review of another version, which cannot be read as the one that was sent. */
    static boolean isOfOtherVersion(ObjectNode review, JsonNode answer) {
        String version = answer.path("apiVersion").asText("");
        return answer.path("kind").asText("").equals(KIND)
                && version.startsWith("admission.k8s.io/")
                && !version.equals(review.path("apiVersion").asText());
    }

    /**
     * What is wrong with the form of a response; empty when nothing is (apiserver's {@code VerifyAdmissionResponse}).
     */
    static String flaw(Webhook webhook, ObjectNode review, JsonNode answer) {
        JsonNode response = answer.path("response");
        if (!response.isObject()) {
            return "webhook response was absent";
        }
        String expected = review.path("apiVersion").asText();
        if (expected.endsWith("v1beta1")) {
            return "";
        }
        String uid = review.path("request").path("uid").asText();
        String given = response.path("uid").asText("");
        if (!given.equals(uid)) {
            return "expected response.uid=" + GoText.quote(uid) + ", got " + GoText.quote(given);
        }
        String version = answer.path("apiVersion").asText("");
        String kind = answer.path("kind").asText("");
        if (!version.equals(expected) || !kind.equals(KIND)) {
            return "expected webhook response of " + expected + ", Kind=" + KIND + ", got "
                    + (version.isEmpty() ? "/" : version) + ", Kind=" + kind;
        }
        return patchFlaw(webhook, response);
    }

    private static String patchFlaw(Webhook webhook, JsonNode response) {
        boolean patch = !response.path("patch").asText("").isEmpty();
        boolean typed = response.hasNonNull("patchType");
        if (!webhook.mutates()) {
            return patch
                    ? "validating webhook may not return response.patch"
                    : typed ? "validating webhook may not return response.patchType" : "";
        }
        if (patch && !typed) {
            return "webhook returned response.patch but not response.patchType";
        }
        if (!patch && typed) {
            return "webhook returned response.patchType but not response.patch";
        }
        return typed && !response.path("patchType").asText().equals("JSONPatch")
                ? "webhook returned invalid response.patchType of \""
                        + response.path("patchType").asText() + "\""
                : "";
    }
}

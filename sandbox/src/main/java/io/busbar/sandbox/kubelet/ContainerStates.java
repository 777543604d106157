package io.busbar.sandbox.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The next status of a container, from its last one.
 *
 * <p>Identifiers follow from the Pod, the container and its restarts, so that a status computed twice is the same.
 * Immutable.
 *
 * @param pod its uid
 * @param time as it is written
 */
record ContainerStates(String pod, String time) {

    /** Runs; when it ran with another image it is restarted in place. */
    ObjectNode running(JsonNode container, JsonNode last, boolean ready) {
        ObjectNode status = start(container, last);
        JsonNode ran = last.path("state").path("running");
        boolean sameImage =
                last.path("image").asText().equals(container.path("image").asText());
        if (!ran.isObject() || !sameImage) {
            if (ran.isObject()) {
                end(status, last, 0, "Completed");
            }
            identify(status, container);
            status.putObject("state").putObject("running").put("startedAt", time);
        }
        return status.put("ready", ready).put("started", true);
    }

    /** Has ended; a container that never ran has started and ended at once. */
    ObjectNode ended(JsonNode container, JsonNode last, int exitCode) {
        if (last.path("state").has("terminated")) {
            return ((ObjectNode) last).deepCopy();
        }
        ObjectNode status = start(container, last);
        if (!last.hasNonNull("containerID")) {
            identify(status, container);
        }
        String startedAt = last.path("state").path("running").path("startedAt").asText(time);
        status.putObject("state")
                .set("terminated", terminated(status, startedAt, exitCode, exitCode == 0 ? "Completed" : "Error"));
        return status.put("ready", false).put("started", false);
    }

    /** Waits for a reason; when it ran it has crashed. */
    ObjectNode waiting(JsonNode container, JsonNode last, String reason) {
        ObjectNode status = start(container, last);
        if (last.path("state").path("running").isObject()) {
            end(status, last, 1, "Error");
        }
        status.set("image", container.path("image"));
        if (!status.has("imageID")) {
            status.put("imageID", "");
        }
        status.putObject("state").putObject("waiting").put("reason", reason);
        return status.put("ready", false).put("started", false);
    }

    private static ObjectNode start(JsonNode container, JsonNode last) {
        ObjectNode status = last instanceof ObjectNode known ? known.deepCopy() : JsonNodeFactory.instance.objectNode();
        status.set("name", container.path("name"));
        if (!status.has("restartCount")) {
            status.put("restartCount", 0);
        }
        if (!status.has("lastState")) {
            status.putObject("lastState");
        }
        return status;
    }

    private void end(ObjectNode status, JsonNode last, int exitCode, String reason) {
        String startedAt = last.path("state").path("running").path("startedAt").asText(time);
        status.putObject("lastState").set("terminated", terminated(last, startedAt, exitCode, reason));
        status.put("restartCount", last.path("restartCount").asInt() + 1);
    }

    private ObjectNode terminated(JsonNode status, String startedAt, int exitCode, String reason) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("exitCode", exitCode)
                .put("reason", reason)
                .put("startedAt", startedAt)
                .put("finishedAt", time)
                .put("containerID", status.path("containerID").asText());
    }

    private void identify(ObjectNode status, JsonNode container) {
        String image = container.path("image").asText();
        int at = image.indexOf('@');
        String name = at < 0 ? image : image.substring(0, at);
        status.put("image", image);
        status.put("imageID", "sandbox://" + name + "@sha256:" + sha256(image));
        String identity = pod + "/" + container.path("name").asText() + "/" + status.path("restartCount");
        status.put("containerID", "sandbox://" + sha256(identity));
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

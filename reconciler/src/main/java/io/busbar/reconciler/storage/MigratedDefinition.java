package io.busbar.reconciler.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A definition as it was read, with the condition that tells how far the migration of its objects is.
 *
 * <p>Immutable.
 */
record MigratedDefinition(JsonNode json) {

    static final String CONDITION = "StorageMigrated";

    /** How far it is stands in the condition's message, for people, and for whoever goes on. */
    private static final Pattern PROGRESS =
            Pattern.compile("(\\d+) objects are stored as (\\S+) by generation (\\d+), the rest follows from (\\S+)");

    /**
     * What all pages so far have come to.
     *
     * @param continuation where the next page begins; empty at the first
     */
    record Progress(int objects, String continuation) {

        static final Progress NONE = new Progress(0, "");
    }

    static MigratedDefinition of(GenericKubernetesResource read, KubernetesSerialization serialization) {
        return new MigratedDefinition(serialization.convertValue(read, JsonNode.class));
    }

    private JsonNode stored() {
        return StreamSupport.stream(json.at("/spec/versions").spliterator(), false)
                .filter(version -> version.path("storage").asBoolean())
                .findFirst()
                .orElseThrow(() ->
                        new IllegalStateException(json.at("/metadata/name").asText() + " stores no version"));
    }

    /** The one that is stored now. */
    String version() {
        return stored().path("name").asText();
    }

    /** In which objects may be stored beside that. */
    List<String> others() {
        return StreamSupport.stream(json.at("/status/storedVersions").spliterator(), false)
                .map(JsonNode::asText)
                .filter(version -> !version.equals(version()))
                .toList();
    }

    boolean hasStatus() {
        return stored().at("/subresources/status").isObject();
    }

    ResourceDefinitionContext kind() {
        return new ResourceDefinitionContext.Builder()
                .withGroup(json.at("/spec/group").asText())
                .withVersion(version())
                .withKind(json.at("/spec/names/kind").asText())
                .withPlural(json.at("/spec/names/plural").asText())
                .withNamespaced(json.at("/spec/scope").asText().equals("Namespaced"))
                .build();
    }

    private String generation() {
        return json.at("/metadata/generation").asText();
    }

    /** Whether nothing was changed but the status. */
    boolean isAs(MigratedDefinition before) {
        return generation().equals(before.generation());
    }

    /** Whether the condition says that there is more to do. */
    boolean isSaidToBeUnderWay() {
        return condition() != null && !condition().path("status").asText().equals("True");
    }

    private @Nullable JsonNode condition() {
        return StreamSupport.stream(json.at("/status/conditions").spliterator(), false)
                .filter(condition -> condition.path("type").asText().equals(CONDITION))
                .findFirst()
                .orElse(null);
    }

    /**
     * How far another has come who stored the same version; nothing counts that was there before the definition
     * changed.
     */
    Progress progress() {
        Matcher told = PROGRESS.matcher(Optional.ofNullable(condition())
                .map(condition -> condition.path("message").asText())
                .orElse(""));
        return told.matches()
                        && told.group(2).equals(version())
                        && told.group(3).equals(generation())
                ? new Progress(Integer.parseInt(told.group(1)), told.group(4))
                : Progress.NONE;
    }

    /** As {@link #progress} reads it. */
    String message(Progress progress) {
        return progress.continuation().isEmpty()
                ? "objects are about to be stored as " + version() + ", some are stored as "
                        + String.join(", ", others())
                : progress.objects() + " objects are stored as " + version() + " by generation " + generation()
                        + ", the rest follows from " + progress.continuation();
    }

    /**
     * A merge patch of the status, for this version of the definition alone, that tells the condition.
     *
     * @param done whether all is stored in one version, which goes into the status, too
     * @return empty where it would change nothing
     */
    Optional<String> patch(boolean done, String reason, String message, Instant now) {
        ObjectNode wanted = JsonNodeFactory.instance
                .objectNode()
                .put("type", CONDITION)
                .put("status", done ? "True" : "False")
                .put("reason", reason)
                .put("message", message);
        JsonNode before = Objects.requireNonNullElse(condition(), JsonNodeFactory.instance.objectNode());
        JsonNode since = before.path("status").equals(wanted.path("status")) ? before.path("lastTransitionTime") : null;
        if (since != null && since.isTextual()) {
            wanted.set("lastTransitionTime", since);
        } else {
            wanted.put("lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
        }
        if (wanted.equals(before) && (!done || others().isEmpty())) {
            return Optional.empty();
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("metadata").set("resourceVersion", json.at("/metadata/resourceVersion"));
        ObjectNode status = patch.putObject("status");
        ArrayNode conditions = status.putArray("conditions");
        json.at("/status/conditions").forEach(condition -> {
            if (!condition.path("type").asText().equals(CONDITION)) {
                conditions.add(condition);
            }
        });
        conditions.add(wanted);
        if (done) {
            status.putArray("storedVersions").add(version());
        }
        return Optional.of(patch.toString());
    }
}

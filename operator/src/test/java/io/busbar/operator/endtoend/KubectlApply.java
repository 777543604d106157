package io.busbar.operator.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import org.jspecify.annotations.Nullable;

/**
 * {@code kubectl apply}, on the client's side and on the server's, as much of it as definitions and webhook
 * configurations need.
 *
 * <p>Does not imitate: that kubectl since 1.26 makes what it has applied on the client's side its own on the server's.
 */
final class KubectlApply {

    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
    private static final String WEBHOOKS = "webhooks";

    private final KubernetesClient client;

    KubectlApply(KubernetesClient client) {
        this.client = client;
    }

    /** With {@code --server-side --force-conflicts}. */
    void onTheServersSide(ObjectNode object) {
        patch(object, PatchType.SERVER_SIDE_APPLY, "kubectl", true, object);
    }

    /** The patch that leads from what was applied last and what is there to what is applied now. */
    void onTheClientsSide(ObjectNode object) {
        ObjectNode modified = object.deepCopy();
        modified.withObject("/metadata/annotations").put(LAST_APPLIED, object + "\n");
        HasMetadata stored = client.resource(object.toString()).get();
        if (stored == null) {
            client.resource(modified.toString()).create();
            return;
        }
        ObjectNode current = client.getKubernetesSerialization().convertValue(stored, ObjectNode.class);
        String annotation =
                current.at("/metadata/annotations").path(LAST_APPLIED).asText("{}");
        ObjectNode original = client.getKubernetesSerialization().unmarshal(annotation, ObjectNode.class);
        ObjectNode patch = threeWay(original, modified, current);
        PatchType type = object.has(WEBHOOKS) ? PatchType.STRATEGIC_MERGE : PatchType.JSON_MERGE;
        if (!patch.isEmpty()) {
            patch(object, type, "kubectl-client-side-apply", false, patch);
        }
    }

    private void patch(ObjectNode object, PatchType type, String manager, boolean force, ObjectNode patch) {
        PatchContext.Builder context =
                new PatchContext.Builder().withPatchType(type).withFieldManager(manager);
        client.resource(object.toString()).patch((force ? context.withForce(true) : context).build(), patch.toString());
    }

    /** What is new or other than what is there, and null for what was applied last and is not any more. */
    private static ObjectNode threeWay(JsonNode original, JsonNode modified, JsonNode current) {
        ObjectNode patch = ((ObjectNode) modified).objectNode();
        modified.properties().forEach(member -> {
            String name = member.getKey();
            JsonNode wanted = member.getValue();
            if (name.equals(WEBHOOKS)) {
                ArrayNode items = webhooks(original.path(name), wanted, current.path(name));
                if (!items.isEmpty()) {
                    patch.set(name, items);
                }
            } else if (wanted.isObject() && current.path(name).isObject()) {
                ObjectNode inner = threeWay(original.path(name), wanted, current.path(name));
                if (!inner.isEmpty()) {
                    patch.set(name, inner);
                }
            } else if (!wanted.equals(current.path(name))) {
                patch.set(name, wanted);
            }
        });
        original.properties().stream()
                .filter(member -> !modified.has(member.getKey()))
                .forEach(member -> patch.putNull(member.getKey()));
        return patch;
    }

    private static ArrayNode webhooks(JsonNode original, JsonNode modified, JsonNode current) {
        ArrayNode patch = ((ArrayNode) modified).arrayNode();
        for (JsonNode wanted : modified) {
            JsonNode name = wanted.path("name");
            JsonNode present = named(current, name);
            if (present == null) {
                patch.add(wanted);
                continue;
            }
            JsonNode before = named(original, name);
            ObjectNode inner = threeWay(before == null ? patch.objectNode() : before, wanted, present);
            if (!inner.isEmpty()) {
                inner.set("name", name);
                patch.add(inner);
            }
        }
        for (JsonNode before : original) {
            if (named(modified, before.path("name")) == null) {
                patch.addObject().put("$patch", "delete").set("name", before.path("name"));
            }
        }
        return patch;
    }

    private static @Nullable JsonNode named(JsonNode webhooks, JsonNode name) {
        for (JsonNode webhook : webhooks) {
            if (webhook.path("name").equals(name)) {
                return webhook;
            }
        }
        return null;
    }
}

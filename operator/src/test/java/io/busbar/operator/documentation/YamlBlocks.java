package io.busbar.operator.documentation;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** Asks a cluster whether it would store the objects of YAML blocks, as they stand there. Stores none. One thread. */
final class YamlBlocks {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private final KubernetesClient client;

    /** @param client of a cluster that knows their kinds */
    YamlBlocks(KubernetesClient client) {
        this.client = client;
    }

    /** @throws AssertionError with what the parser or the cluster says */
    void check(Block block) {
        for (String document : block.text().split("(?m)^---$", -1)) {
            JsonNode object = parse(block, document);
            if (!object.path("apiVersion").isTextual() || !object.path("kind").isTextual()) {
                throw new AssertionError(block.place() + ": YAML that is no object of Kubernetes; allowed: objects, and"
                        + " parts of a file that the comment above the block names: <!-- PATH -->");
            }
            ask(block, SERIALIZATION.convertValue(object, GenericKubernetesResource.class));
        }
    }

    private static JsonNode parse(Block block, String document) {
        try {
            return SERIALIZATION.unmarshal(document, JsonNode.class);
        } catch (RuntimeException wrong) {
            throw new AssertionError(block.place() + ": " + wrong.getMessage(), wrong);
        }
    }

    private void ask(Block block, GenericKubernetesResource object) {
        if (object.getMetadata().getNamespace() == null) {
            object.getMetadata().setNamespace("default");
        }
        try {
            client.resource(object)
                    .dryRun()
                    .fieldValidation(FieldValidateable.Validation.STRICT)
                    .create();
        } catch (KubernetesClientException refused) {
            throw new AssertionError(
                    block.place() + ": the cluster refuses this " + object.getKind() + ": " + refused.getMessage(),
                    refused);
        }
    }
}

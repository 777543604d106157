package io.busbar.admission.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.certificates.CertificateListener;
import io.busbar.admission.certificates.ServingCertificate;
import io.busbar.admission.conversion.Conversions;
import io.busbar.admission.conversion.Versions;
import io.busbar.admission.patch.JsonEquality;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.WebhookClientConfig;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the API server convert an operator's kinds by its webhook, with the CA of the certificate that is served, and serve the
 * versions that this makes possible.
 *
 * <p>Any worker: blocks on the API server. To be told of certificates again and again, so that what is undone is done again; patches
 * only what differs. A definition that is not there is passed over until it is. Needs get and patch on the definitions.
 *
 * @param target how the API server reaches the webhook, with its path and without a caBundle
 */
public record ConversionRegistrar(KubernetesClient client, Conversions conversions, WebhookClientConfig target)
        implements CertificateListener {

    private static final Logger log = LoggerFactory.getLogger(ConversionRegistrar.class);

    private static final List<String> CONVERSION = List.of("f:spec", "f:conversion");

    /** As they come: their schemas are long, and nothing here looks into them. */
    private static final ResourceDefinitionContext DEFINITIONS =
            ResourceDefinitionContext.fromResourceType(CustomResourceDefinition.class);

    /**
     * Patches what differs; without a CA, the caBundle that is there is left to whoever takes care of it.
     *
     * @throws KubernetesClientException when the API server does not take it: the next certificate tries again
     */
    @Override
    public void certificateRead(ServingCertificate certificate) {
        conversions.kinds().forEach(versions -> settle(versions, certificate.caBundle()));
    }

    private void settle(Versions<?> versions, String caBundle) {
        String name = versions.resource().toString();
        Resource<GenericKubernetesResource> definition =
                client.genericKubernetesResources(DEFINITIONS).withName(name);
        GenericKubernetesResource stored = definition.get();
        if (stored == null) {
            log.atDebug().addKeyValue("name", name).log("No definition to register a conversion with yet");
            return;
        }
        ObjectNode before = tree(stored);
        ArrayNode patch = patch(before, versions, caBundle);
        ObjectNode after = before;
        if (patch.size() > 1) {
            after = tree(definition.patch(PatchContext.of(PatchType.JSON), patch.toString()));
            log.atInfo().addKeyValue("name", name).log("conversion registered");
        }
        boolean othersOwn = AppliersRecords.isByUrl(after)
                ? AppliersRecords.handOver(after, CONVERSION)
                : AppliersRecords.isByUrl(before) && AppliersRecords.keepBundles(after);
        if (othersOwn) {
            ArrayNode owners = unchanged(after);
            add(owners, "replace", "/metadata/managedFields", after.at("/metadata/managedFields"));
            definition.patch(PatchContext.of(PatchType.JSON), owners.toString());
        }
    }

    private ObjectNode tree(GenericKubernetesResource definition) {
        return client.getKubernetesSerialization().convertValue(definition, ObjectNode.class);
    }

    /** It applies to the version that was read alone: places are indices. */
    private ArrayNode patch(ObjectNode stored, Versions<?> versions, String caBundle) {
        ArrayNode patch = unchanged(stored);
        JsonNode present = stored.at("/spec/conversion");
        ObjectNode conversion = conversion(present, caBundle);
        if (!JsonEquality.same(present, conversion)) {
            add(patch, "add", "/spec/conversion", conversion);
        }
        tellAppliers(stored, conversion, patch);
        JsonNode listed = stored.at("/spec/versions");
        for (int i = 0; i < listed.size(); i++) {
            boolean served = listed.get(i).path("served").asBoolean();
            if (!served && versions.spokes().contains(listed.get(i).path("name").asText())) {
                add(patch, "add", "/spec/versions/" + i + "/served", JsonNodeFactory.instance.booleanNode(true));
            }
        }
        return patch;
    }

    private static void tellAppliers(ObjectNode stored, ObjectNode conversion, ArrayNode patch) {
        ObjectNode after = stored.deepCopy();
        after.withObject("/spec").set("conversion", conversion);
        String applied = AppliersRecords.lastApplied(after);
        JsonNode annotations = stored.at("/metadata/annotations");
        if (applied != null
                && !applied.equals(
                        annotations.path(AppliersRecords.LAST_APPLIED).asText(null))) {
            if (!annotations.isObject()) {
                add(patch, "add", "/metadata/annotations", JsonNodeFactory.instance.objectNode());
            }
            add(
                    patch,
                    "add",
                    "/metadata/annotations/" + AppliersRecords.LAST_APPLIED.replace("/", "~1"),
                    JsonNodeFactory.instance.textNode(applied));
        }
    }

    private static ArrayNode unchanged(ObjectNode stored) {
        ArrayNode patch = JsonNodeFactory.instance.arrayNode();
        add(patch, "test", "/metadata/resourceVersion", stored.at("/metadata/resourceVersion"));
        return patch;
    }

    private ObjectNode conversion(JsonNode present, String caBundle) {
        ObjectNode wanted = JsonNodeFactory.instance.objectNode().put("strategy", "Webhook");
        ObjectNode webhook = wanted.putObject("webhook");
        ObjectNode clientConfig = client.getKubernetesSerialization().convertValue(target, ObjectNode.class);
        JsonNode bundle = present.at("/webhook/clientConfig/caBundle");
        if (!caBundle.isEmpty()) {
            clientConfig.put("caBundle", Base64.getEncoder().encodeToString(caBundle.getBytes(StandardCharsets.UTF_8)));
        } else if (bundle.isTextual()) {
            clientConfig.set("caBundle", bundle);
        }
        webhook.set("clientConfig", clientConfig);
        webhook.putArray("conversionReviewVersions").add("v1");
        return wanted;
    }

    private static void add(ArrayNode patch, String operation, String path, JsonNode value) {
        patch.addObject().put("op", operation).put("path", path).set("value", value);
    }
}

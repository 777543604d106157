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
import io.busbar.common.MetadataKey;
import io.busbar.common.ObjectKey;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.WebhookClientConfig;
import io.fabric8.kubernetes.api.model.apiextensions.v1.WebhookClientConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the API server convert an operator's kinds by its webhook, with the CA of the certificate that is served, and
 * serve the versions that this makes possible; and sets that back.
 *
 * <p>Any worker: blocks on the API server. To be told of certificates again and again, so that what is undone is done
 * again; patches only what differs. A definition that is not there is passed over until it is. What was set back while
 * this runs stays so, until somebody else has it converted again: the operator is about to go. Needs get and patch on
 * the definitions.
 */
public final class ConversionRegistrar implements CertificateListener {

    /** On a definition whose conversion was set back. */
    public static final MetadataKey UNREGISTERED = MetadataKey.annotation(
            "busbar.io/conversion-reset",
            "a CustomResourceDefinition",
            "set by reset-conversion: operators that run leave the definition's conversion alone; one that starts takes it away, and registers itself again");

    /** What became of a definition, in words for people. */
    public record Outcome(String definition, String text) {}

    private static final Logger log = LoggerFactory.getLogger(ConversionRegistrar.class);

    private static final List<String> CONVERSION = List.of("f:spec", "f:conversion");

    /** As they come: their schemas are long, and nothing here looks into them. */
    private static final ResourceDefinitionContext DEFINITIONS =
            ResourceDefinitionContext.fromResourceType(CustomResourceDefinition.class);

    private static final int ATTEMPTS = 5;

    private final KubernetesClient client;
    private final Conversions conversions;
    private final WebhookClientConfig target;
    /** Definitions that this has registered itself in. */
    private final Set<String> registered = ConcurrentHashMap.newKeySet();

    /**
     * @param target how the API server reaches the webhook: {@link #byUrl}, {@link #byService}
     */
    public ConversionRegistrar(KubernetesClient client, Conversions conversions, WebhookClientConfig target) {
        this.client = client;
        this.conversions = conversions;
        this.target = target;
    }

    /** A webhook at {@code https://HOST[:PORT]}. */
    public static WebhookClientConfig byUrl(String url) {
        return new WebhookClientConfigBuilder().withUrl(url + Conversions.PATH).build();
    }

    /** A webhook behind a Service. */
    public static WebhookClientConfig byService(ObjectKey service) {
        return new WebhookClientConfigBuilder()
                .withNewService()
                .withName(service.name())
                .withNamespace(service.namespace())
                .withPath(Conversions.PATH)
                .withPort(443)
                .endService()
                .build();
    }

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
        if (isUnregistered(before) && !isConverted(before) && registered.contains(name)) {
            log.atDebug().addKeyValue("name", name).log("conversion was set back: it stays so");
            return;
        }
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
        registered.add(name);
    }

    /**
     * Has the API server convert nothing by this webhook any more, for the time after it: each definition that names it
     * gets the strategy {@code None}, and serves only the version that is stored. Without conversion another version of
     * an object would lack what it has another name for, and who writes it back would lose that.
     *
     * <p>Definitions that are not there, or are converted by somebody else, are left as they are.
     *
     * @return one for each definition
     * @throws IllegalStateException when objects may be stored in a version that is not to be served: these could not
     *     be read whole
     * @throws KubernetesClientException when the API server does not take it
     */
    public List<Outcome> unregister() {
        return conversions.kinds().stream()
                .map(versions -> new Outcome(
                        versions.resource().toString(),
                        unregister(versions.resource().toString(), ATTEMPTS)))
                .toList();
    }

    private String unregister(String name, int attempts) {
        Resource<GenericKubernetesResource> definition =
                client.genericKubernetesResources(DEFINITIONS).withName(name);
        GenericKubernetesResource stored = definition.get();
        if (stored == null) {
            return "not there";
        }
        ObjectNode before = tree(stored);
        JsonNode conversion = before.at("/spec/conversion");
        if (!isConverted(before)) {
            return "left as it is: not converted by a webhook";
        }
        String by = address(conversion.at("/webhook/clientConfig"));
        String own = address(client.getKubernetesSerialization().convertValue(target, ObjectNode.class));
        if (!by.equals(own)) {
            return "left as it is: converted by " + by + ", not by " + own;
        }
        try {
            return unregister(before, definition);
        } catch (KubernetesClientException refused) {
            GenericKubernetesResource now = definition.get();
            boolean changed = now != null
                    && !now.getMetadata()
                            .getResourceVersion()
                            .equals(stored.getMetadata().getResourceVersion());
            if (!changed || attempts == 1) {
                throw refused;
            }
            return unregister(name, attempts - 1);
        }
    }

    private static String unregister(ObjectNode before, Resource<GenericKubernetesResource> definition) {
        ArrayNode patch = unchanged(before);
        add(
                patch,
                "replace",
                "/spec/conversion",
                JsonNodeFactory.instance.objectNode().put("strategy", "None"));
        annotate(before, UNREGISTERED.name(), "true", patch);
        JsonNode listed = before.at("/spec/versions");
        String kept = "";
        List<String> others = new ArrayList<>();
        for (int i = 0; i < listed.size(); i++) {
            String version = listed.get(i).path("name").asText();
            if (listed.get(i).path("storage").asBoolean()) {
                kept = version;
            } else if (listed.get(i).path("served").asBoolean()) {
                add(patch, "add", "/spec/versions/" + i + "/served", JsonNodeFactory.instance.booleanNode(false));
                others.add(version);
            }
        }
        for (JsonNode version : before.at("/status/storedVersions")) {
            if (!version.asText().equals(kept)) {
                throw new IllegalStateException(before.at("/metadata/name").asText() + ": status.storedVersions: "
                        + before.at("/status/storedVersions") + " is not allowed; allowed: [\"" + kept
                        + "\"], as what is stored in another version could not be read whole without conversion");
            }
        }
        definition.patch(PatchContext.of(PatchType.JSON), patch.toString());
        String rest = others.isEmpty() ? "" : "; not served any more: " + String.join(", ", others);
        return kept + " is served without conversion" + rest;
    }

    private static String address(JsonNode clientConfig) {
        JsonNode service = clientConfig.path("service");
        return service.isObject()
                ? "Service " + service.path("namespace").asText() + "/"
                        + service.path("name").asText()
                : clientConfig.path("url").asText();
    }

    private static boolean isConverted(ObjectNode definition) {
        return definition.at("/spec/conversion/strategy").asText().equals("Webhook");
    }

    private static boolean isUnregistered(ObjectNode definition) {
        return definition.path("metadata").path("annotations").has(UNREGISTERED.name());
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
            if (!served && versions.names().contains(listed.get(i).path("name").asText())) {
                add(patch, "add", "/spec/versions/" + i + "/served", JsonNodeFactory.instance.booleanNode(true));
            }
        }
        if (isUnregistered(stored)) {
            patch.addObject().put("op", "remove").put("path", annotation(UNREGISTERED.name()));
        }
        return patch;
    }

    private static void tellAppliers(ObjectNode stored, ObjectNode conversion, ArrayNode patch) {
        ObjectNode after = stored.deepCopy();
        after.withObject("/spec").set("conversion", conversion);
        String applied = AppliersRecords.lastApplied(after);
        if (applied != null
                && !applied.equals(stored.path("metadata")
                        .path("annotations")
                        .path(AppliersRecords.LAST_APPLIED)
                        .asText(null))) {
            annotate(stored, AppliersRecords.LAST_APPLIED, applied, patch);
        }
    }

    private static void annotate(ObjectNode stored, String name, String value, ArrayNode patch) {
        if (!stored.at("/metadata/annotations").isObject()) {
            add(patch, "add", "/metadata/annotations", JsonNodeFactory.instance.objectNode());
        }
        add(patch, "add", annotation(name), JsonNodeFactory.instance.textNode(value));
    }

    private static String annotation(String name) {
        return "/metadata/annotations/" + name.replace("/", "~1");
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

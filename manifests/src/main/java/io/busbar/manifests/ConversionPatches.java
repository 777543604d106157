package io.busbar.manifests;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.busbar.common.ResourceType;
import io.busbar.manifests.crd.Converted;
import io.busbar.manifests.yaml.Yaml;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What makes the API server convert kinds by the operator's webhook, and a patch beside each definition that serves the
 * versions that this makes possible: without it, the definition can be applied where no operator runs.
 *
 * <p>Immutable.
 */
final class ConversionPatches {

    private ConversionPatches() {}

    /**
     * Adds them to the files.
     *
     * @return for the kustomization of the definitions; empty where nothing is converted
     */
    static String of(Form form, List<CustomResourceDefinition> crds, Map<String, String> files) {
        Set<String> converted = converted(form.operator());
        StringBuilder listed = new StringBuilder();
        for (CustomResourceDefinition crd : crds) {
            String name = crd.getMetadata().getName();
            if (form.operator().converted().contains(name)) {
                String file = "patches/webhook_in_" + crd.getSpec().getGroup() + "_"
                        + crd.getSpec().getNames().getPlural() + ".yaml";
                files.put("crd/" + file, Generated.HEADER + Yaml.write(patch(crd, converted)));
                listed.append(listed.isEmpty() ? "patches:\n" : "")
                        .append("- path: ")
                        .append(file)
                        .append("\n  target:\n    kind: CustomResourceDefinition\n    name: ")
                        .append(name)
                        .append('\n');
            }
        }
        return listed.toString();
    }

    /** Versions that are converted, as {@code widgets.example.com/v1}. */
    static Set<String> converted(OperatorDeclaration operator) {
        return operator.all(OperatorPart::types).stream()
                .filter(type -> type.isAnnotationPresent(Converted.class))
                .map(ResourceType::of)
                .map(type -> type + "/" + type.version())
                .collect(Collectors.toSet());
    }

    /**
     * A definition with its conversion, if it has one. It is in each file that is applied, so that none takes away a
     * part of what another has brought; while no version is served that is not stored, nobody is asked to convert.
     */
    static CustomResourceDefinition converting(Form form, CustomResourceDefinition crd) {
        return form.operator().converted().contains(crd.getMetadata().getName())
                ? new CustomResourceDefinitionBuilder(crd)
                        .editSpec()
                        .withNewConversion()
                        .withStrategy("Webhook")
                        .withNewWebhook()
                        .withNewClientConfig()
                        .withNewService()
                        .withName(form.service() + "webhook-service")
                        .withNamespace(form.unchangedNamespace())
                        .withPath("/convert")
                        .withPort(443)
                        .endService()
                        .endClientConfig()
                        .withConversionReviewVersions("v1")
                        .endWebhook()
                        .endConversion()
                        .endSpec()
                        .build()
                : crd;
    }

    private static ArrayNode patch(CustomResourceDefinition crd, Set<String> converted) {
        ArrayNode patch = new ObjectMapper().createArrayNode();
        List<CustomResourceDefinitionVersion> versions = crd.getSpec().getVersions();
        for (int i = 0; i < versions.size(); i++) {
            if (converted.contains(
                    crd.getMetadata().getName() + "/" + versions.get(i).getName())) {
                patch.addObject()
                        .put("op", "replace")
                        .put("path", "/spec/versions/" + i + "/served")
                        .put("value", true);
            }
        }
        return patch;
    }
}

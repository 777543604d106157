package io.busbar.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.yaml.Yaml;
import io.fabric8.zjsonpatch.JsonPatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The objects of a folder with a kustomization, for files that have their final names already: what kustomize makes of
 * the same folder. Resources, patches, images and labels are all that our kustomizations say beside names.
 *
 * <p>Immutable.
 */
final class Rendered {

    /** What others need comes before them; kinds that are not named come last. */
    private static final List<String> ORDER = List.of(
            "Namespace",
            "CustomResourceDefinition",
            "ServiceAccount",
            "Role",
            "ClusterRole",
            "RoleBinding",
            "ClusterRoleBinding",
            "Service",
            "Deployment",
            "PodDisruptionBudget",
            "Issuer",
            "Certificate");

    private static final String CA = "cert-manager.io/inject-ca-from";

    private final Map<String, String> files;

    private Rendered(Map<String, String> files) {
        this.files = files;
    }

    /** In an order in which they can be applied. */
    static List<ObjectNode> of(Map<String, String> files, String folder) {
        List<ObjectNode> objects = new ArrayList<>(new Rendered(files).build(folder));
        injectAuthority(objects);
        objects.sort(Comparator.comparingInt(Rendered::rank)
                .thenComparing(object -> object.path("metadata").path("name").textValue()));
        return objects;
    }

    private List<ObjectNode> build(String folder) {
        ObjectNode kustomization =
                Yaml.readAll(file(files, folder + "/kustomization.yaml")).get(0);
        List<ObjectNode> objects = new ArrayList<>();
        for (JsonNode resource : kustomization.path("resources")) {
            String path = resolve(folder, resource.textValue());
            objects.addAll(path.endsWith(".yaml") ? Yaml.readAll(file(files, path)) : build(path));
        }
        kustomization.path("patches").forEach(patch -> patch(objects, folder, patch));
        kustomization.path("images").forEach(image -> setImage(objects, image));
        kustomization.path("labels").forEach(labels -> label(objects, labels.path("pairs")));
        return objects;
    }

    private void patch(List<ObjectNode> objects, String folder, JsonNode patch) {
        JsonNode operations =
                Yaml.read(file(files, resolve(folder, patch.path("path").textValue())));
        objects.replaceAll(object ->
                isTarget(patch.path("target"), object) ? (ObjectNode) JsonPatch.apply(operations, object) : object);
    }

    /** Names may have a prefix here that kustomize gives them later. */
    private static boolean isTarget(JsonNode target, ObjectNode object) {
        return kind(object).equals(target.path("kind").textValue())
                && object.at("/metadata/name")
                        .asText()
                        .endsWith(target.path("name").asText());
    }

    private static void setImage(List<ObjectNode> objects, JsonNode image) {
        String placeholder = image.path("name").textValue() + ":";
        for (ObjectNode object : objects) {
            for (JsonNode container : object.at("/spec/template/spec/containers")) {
                if (container.path("image").textValue().startsWith(placeholder)) {
                    ((ObjectNode) container)
                            .put(
                                    "image",
                                    image.path("newName").asText() + ":"
                                            + image.path("newTag").asText());
                }
            }
        }
    }

    private static void label(List<ObjectNode> objects, JsonNode pairs) {
        objects.forEach(
                object -> object.withObject("/metadata").withObject("/labels").setAll((ObjectNode) pairs));
    }

    /** What the replacements of the tree do: the API server is to trust the CA of the serving certificate. */
    private static void injectAuthority(List<ObjectNode> objects) {
        objects.stream()
                .filter(object -> kind(object).equals("Certificate"))
                .map(object -> object.path("metadata"))
                .filter(metadata -> metadata.path("name").textValue().endsWith("serving-cert"))
                .findFirst()
                .ifPresent(certificate -> objects.stream()
                        .filter(object -> kind(object).endsWith("WebhookConfiguration")
                                || !object.at("/spec/conversion").isMissingNode())
                        .forEach(object -> object.withObject("/metadata")
                                .withObject("/annotations")
                                .put(
                                        CA,
                                        certificate.path("namespace").textValue() + "/"
                                                + certificate.path("name").textValue())));
    }

    static String file(Map<String, String> files, String path) {
        return Objects.requireNonNull(files.get(path), path);
    }

    static String kind(ObjectNode object) {
        return object.path("kind").asText();
    }

    private static int rank(ObjectNode object) {
        int rank = ORDER.indexOf(kind(object));
        return rank < 0 ? ORDER.size() : rank;
    }

    private static String resolve(String folder, String reference) {
        return Path.of(folder).resolve(reference).normalize().toString().replace('\\', '/');
    }
}

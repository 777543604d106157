package io.busbar.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Roles;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.manifests.yaml.Yaml;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Components of kustomize, by which users choose operators: one for each, which adds to the base its definitions,
 * rules, webhooks and flag; and one for each way to certificates, which comes last and gives all their names.
 *
 * <p>One thread.
 */
final class Components {

    private static final String COMPONENT = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n";
    private static final String CERTIFICATES_ROLE = "certificates-role";

    private final OperatorDeclaration operator;
    private final SortedMap<String, String> files;
    private final SortedMap<String, String> components = new TreeMap<>();

    private Components(OperatorDeclaration operator, SortedMap<String, String> files) {
        this.operator = operator;
        this.files = files;
    }

    /**
     * @param files of the tree, in the form for kustomize
     */
    static SortedMap<String, String> of(OperatorDeclaration operator, SortedMap<String, String> files) {
        Components made = new Components(operator, files);
        operator.parts().forEach(made::add);
        made.withCertManager();
        made.selfSigned();
        return made.components;
    }

    private void add(OperatorPart part) {
        String folder = "components/" + part.name() + "/";
        List<String> resources = new ArrayList<>();
        if (!part.kinds().isEmpty()) {
            write(folder, "definitions.yaml", definitions(part), resources);
            write(folder, "kind_roles.yaml", kindRoles(part), resources);
        }
        PartRules rules = PartRules.of(operator, part);
        if (!rules.certificates().isEmpty()) {
            write(folder, "certificates_role.yaml", certificatesRole(part, rules), resources);
        }
        StringBuilder patches = new StringBuilder("patches:\n");
        patch(folder, patches, "ClusterRole", "manager-role", "/rules/-", rules(rules.cluster()));
        patch(folder, patches, "Role", "manager-role", "/rules/-", rules(rules.ownNamespace()));
        patch(folder, "watched_", patches, "ClusterRole", "watched-role", "/rules/-", rules(rules.namespaced()));
        patch(folder, "events_", patches, "ClusterRole", "events-role", "/rules/-", rules(rules.events()));
        for (String kind : List.of("Mutating", "Validating")) {
            String name = kind.toLowerCase(Locale.ROOT) + "-webhook-configuration";
            patch(folder, patches, kind + "WebhookConfiguration", name, "/webhooks/-", webhooks(part, kind));
        }
        ArrayNode flag = new ObjectMapper().createArrayNode().add("--operators=" + part.name());
        patch(folder, patches, "Deployment", "controller-manager", "/spec/template/spec/containers/0/args/-", flag);
        StringBuilder kustomization = new StringBuilder(Generated.HEADER).append(COMPONENT);
        list(kustomization, resources);
        components.put(
                folder + "kustomization.yaml", kustomization.append(patches).toString());
    }

    /** Appends values to a list of an object, unless there are none. */
    private void patch(
            String folder, StringBuilder kustomization, String kind, String name, String path, JsonNode values) {
        patch(folder, "", kustomization, kind, name, path, values);
    }

    /**
     * @param which of several files for objects of one kind
     */
    private void patch(
            String folder,
            String which,
            StringBuilder kustomization,
            String kind,
            String name,
            String path,
            JsonNode values) {
        if (!values.isEmpty()) {
            ArrayNode patch = new ObjectMapper().createArrayNode();
            values.forEach(value ->
                    patch.addObject().put("op", "add").put("path", path).set("value", value));
            String file = which + (kind + "_patch.yaml").toLowerCase(Locale.ROOT);
            components.put(folder + file, Generated.HEADER + Yaml.write(patch));
            patch(kustomization, file, kind, name);
        }
    }

    /** With the patches by which the webhook converts them. */
    private List<ObjectNode> definitions(OperatorPart part) {
        Set<String> names = part.kinds().stream().map(ResourceType::toString).collect(Collectors.toSet());
        return Rendered.of(files, "crd").stream()
                .filter(definition ->
                        names.contains(definition.at("/metadata/name").asText()))
                .toList();
    }

    private static List<ClusterRole> kindRoles(OperatorPart part) {
        SortedMap<String, ResourceType> kinds = new TreeMap<>();
        part.kinds().forEach(kind -> kinds.putIfAbsent(kind.toString(), kind));
        return kinds.values().stream()
                .flatMap(kind -> Roles.ofKind(kind).stream())
                .toList();
    }

    /** What it needs besides where the operator is its own CA. */
    private List<Object> certificatesRole(OperatorPart part, PartRules rules) {
        ObjectNode binding = certificatesBinding(0);
        String name = part.name() + "-" + CERTIFICATES_ROLE;
        ((ObjectNode) binding.path("metadata")).put("name", name + "binding");
        ((ObjectNode) binding.path("roleRef")).put("name", name);
        return List.of(Roles.clusterRole(name, rules.certificates()), binding);
    }

    /**
     * @param scope 0 in the whole cluster, 1 in the operator's namespace
     */
    private ObjectNode certificatesBinding(int scope) {
        return Yaml.readAll(Rendered.file(files, "self-signed/certificates_role_binding.yaml"))
                .get(scope);
    }

    private JsonNode webhooks(OperatorPart part, String configuration) {
        Set<String> names = part.webhooks().stream().map(WebhookManifest::name).collect(Collectors.toSet());
        ArrayNode webhooks = new ObjectMapper().createArrayNode();
        for (ObjectNode object : Yaml.readAll(Rendered.file(files, "webhook/manifests.yaml"))) {
            if (Rendered.kind(object).startsWith(configuration)) {
                object.path("webhooks").forEach(webhook -> {
                    if (names.contains(webhook.path("name").asText())) {
                        webhooks.add(webhook);
                    }
                });
            }
        }
        return webhooks;
    }

    private static JsonNode rules(Collection<Permission> permissions) {
        return Yaml.read(Yaml.write(Roles.clusterRole("", permissions).getRules()));
    }

    private void withCertManager() {
        String folder = "components/cert-manager/";
        for (String file : List.of("cert_metrics_manager_patch.yaml", "manager_webhook_patch.yaml")) {
            components.put(folder + file, Rendered.file(files, "default/" + file));
        }
        components.put(folder + "no_role_patch.yaml", Rendered.file(files, "base/no_role_patch.yaml"));
        components.put(
                folder + "no_role_binding_patch.yaml",
                Rendered.file(files, "base/no_role_patch.yaml").replace("ClusterRole", "ClusterRoleBinding"));
        StringBuilder deleted = new StringBuilder("patches:\n");
        patch(deleted, "no_role_patch.yaml", "ClusterRole", ".*-" + CERTIFICATES_ROLE);
        patch(deleted, "no_role_binding_patch.yaml", "ClusterRoleBinding", ".*-" + CERTIFICATES_ROLE + "binding");
        components.put(
                folder + "kustomization.yaml",
                component(
                                "default",
                                "The last of the components where cert-manager makes certificates.",
                                "../../certmanager")
                        .replace("patches:\n", deleted.toString()));
    }

    private void selfSigned() {
        String folder = "components/self-signed/";
        components.put(
                folder + "manager_webhook_patch.yaml", Rendered.file(files, "self-signed/manager_webhook_patch.yaml"));
        List<ObjectNode> roles = Yaml.readAll(Rendered.file(files, "self-signed/certificates_role.yaml"));
        components.put(
                folder + "certificates_role.yaml",
                Generated.HEADER + Yaml.writeAll(List.of(roles.get(1), certificatesBinding(1))));
        components.put(
                folder + "kustomization.yaml",
                component(
                        "self-signed",
                        "The last of the components where the operator is its own CA.",
                        "certificates_role.yaml"));
    }

    /** A kustomization of the tree as a component, which has other resources. */
    private String component(String folder, String comment, String... resources) {
        String kustomization = Rendered.file(files, folder + "/kustomization.yaml");
        int names = kustomization.indexOf("namespace:");
        StringBuilder text = new StringBuilder("# ")
                .append(comment)
                .append('\n')
                .append(COMPONENT)
                .append(kustomization, names, kustomization.indexOf("resources:"));
        list(text, List.of(resources));
        return text.append(kustomization.substring(kustomization.indexOf("patches:")))
                .toString();
    }

    private void write(String folder, String file, Collection<?> objects, List<String> resources) {
        components.put(folder + file, Generated.HEADER + Yaml.writeAll(objects));
        resources.add(file);
    }

    private static void list(StringBuilder kustomization, List<String> resources) {
        if (!resources.isEmpty()) {
            kustomization.append("resources:\n");
            resources.stream()
                    .sorted()
                    .forEach(file -> kustomization.append("- ").append(file).append('\n'));
        }
    }

    private static void patch(StringBuilder kustomization, String file, String kind, String name) {
        kustomization
                .append("- path: ")
                .append(file)
                .append("\n  target:\n    kind: ")
                .append(kind)
                .append("\n    name: ")
                .append(name)
                .append('\n');
    }
}

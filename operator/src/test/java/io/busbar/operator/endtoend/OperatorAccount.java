package io.busbar.operator.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Roles;
import io.busbar.manifests.yaml.Yaml;
import io.busbar.operator.bundled.Bundled;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The service account that an installed operator has, with exactly the generated roles: for all of the bundled
 * operators, or for one. Any thread; blocks.
 */
final class OperatorAccount {

    private static final Set<String> KINDS =
            Set.of("ServiceAccount", "ClusterRole", "Role", "ClusterRoleBinding", "RoleBinding");
    private static final String NAME = "busbar-controller-manager";
    private static final String WATCHED = "busbar-watched";
    /** The longest that a suite takes, soaks included. */
    private static final long SECONDS = 24 * 3600L;

    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager("end-to-end")
            .withForce(true)
            .build();

    private static final Map<String, OperatorAccount> ACCOUNTS = new ConcurrentHashMap<>();

    private final List<ObjectNode> objects;

    private OperatorAccount(OperatorDefinition definition) {
        this.objects = Yaml.readAll(definition.manifests().files().get("dist/install-self-signed.yaml")).stream()
                .filter(object -> KINDS.contains(object.path("kind").asText()))
                .toList();
    }

    /**
     * @param operator the name of one, or an empty name for all
     */
    static OperatorAccount of(String operator) {
        return ACCOUNTS.computeIfAbsent(
                operator, name -> new OperatorAccount(name.isEmpty() ? Bundled.operator() : alone(name)));
    }

    private static OperatorDefinition alone(String operator) {
        OperatorDefinition all = Bundled.operator();
        return new OperatorDefinition(
                all.name(),
                all.image(),
                all.about(),
                all.bundles().stream()
                        .filter(bundle -> bundle.name().equals(operator))
                        .toList());
    }

    /** Rules of the roles that hold everywhere. */
    List<PolicyRule> everywhere() {
        return bound("ClusterRole").stream()
                .flatMap(role -> Serialization.unmarshal(role.toString(), ClusterRole.class).getRules().stream())
                .toList();
    }

    /** Rules of the roles that hold in the operator's own namespace. */
    List<PolicyRule> inOwnNamespace() {
        return bound("Role").stream()
                .flatMap(role -> Serialization.unmarshal(role.toString(), Role.class).getRules().stream())
                .toList();
    }

    /** Applies the account and its roles, and writes a kubeconfig for it. */
    Path install(KubernetesClient client, String namespace, Path kubeconfig) throws IOException {
        allow(client);
        return kubeconfig(client, namespace, NAME, kubeconfig);
    }

    /** Writes a kubeconfig for an account that is there. */
    static Path kubeconfig(KubernetesClient client, String namespace, String account, Path kubeconfig)
            throws IOException {
        TokenRequest request = new TokenRequestBuilder()
                .withNewSpec()
                .withExpirationSeconds(SECONDS)
                .endSpec()
                .build();
        String token = client.serviceAccounts()
                .inNamespace(namespace)
                .withName(account)
                .tokenRequest(request)
                .getStatus()
                .getToken();
        JsonNode own = Yaml.read(Files.readString(kubeconfig));
        own.path("users").forEach(user -> ((ObjectNode) user).putObject("user").put("token", token));
        Path written = Files.createTempFile("busbar-operator", ".kubeconfig");
        written.toFile().deleteOnExit();
        return Files.writeString(written, Yaml.write(own));
    }

    /** Allows this, and nothing that was allowed before. */
    void allow(KubernetesClient client) {
        for (ObjectNode object : objects) {
            client.resource(object.toString()).patch(APPLY);
        }
    }

    /** Allows this but for one verb on a resource of the cluster. */
    void allowBut(KubernetesClient client, String verb, String resource) {
        for (ObjectNode object : objects) {
            ObjectNode less = object.deepCopy();
            for (JsonNode rule : less.path("rules")) {
                if (rule.path("resources").toString().contains('"' + resource + '"')) {
                    remove((ArrayNode) rule.path("verbs"), one -> one.asText().equals(verb));
                }
            }
            if (less.path("rules") instanceof ArrayNode rules) {
                remove(rules, rule -> rule.path("verbs").isEmpty());
            }
            client.resource(less.toString()).patch(APPLY);
        }
    }

    /**
     * Allows this in one namespace, as the chart does with {@code watchNamespaces}: what is in no namespace still in
     * the whole cluster, Events about it in the namespace default.
     */
    void allowIn(KubernetesClient client, String namespace, OperatorPart part) {
        allow(client);
        Predicate<Permission> event = permission -> permission.group().equals("events.k8s.io");
        List<Permission> cluster = part.permissions().stream()
                .filter(permission -> !permission.namespaced() && !event.test(permission))
                .toList();
        List<Permission> namespaced =
                part.permissions().stream().filter(Permission::namespaced).toList();
        List<Permission> events = part.permissions().stream()
                .filter(permission -> !permission.namespaced() && event.test(permission))
                .toList();
        client.resource(Roles.clusterRole("busbar-manager-role", cluster)).patch(APPLY);
        bind(client, namespace, namespaced);
        bind(client, "default", events);
    }

    private void bind(KubernetesClient client, String namespace, List<Permission> permissions) {
        ObjectNode binding = named("RoleBinding", "busbar-manager-rolebinding").deepCopy();
        ((ObjectNode) binding.path("metadata")).put("name", WATCHED).put("namespace", namespace);
        ((ObjectNode) binding.path("roleRef")).put("name", WATCHED);
        client.resource(Roles.role(WATCHED, namespace, permissions)).patch(APPLY);
        client.resource(binding.toString()).patch(APPLY);
    }

    /** Takes that back. */
    static void disallowIn(KubernetesClient client, String namespace) {
        for (String one : List.of(namespace, "default")) {
            client.rbac().roleBindings().inNamespace(one).withName(WATCHED).delete();
            client.rbac().roles().inNamespace(one).withName(WATCHED).delete();
        }
    }

    private static void remove(ArrayNode list, Predicate<JsonNode> which) {
        for (int i = list.size() - 1; i >= 0; i--) {
            if (which.test(list.get(i))) {
                list.remove(i);
            }
        }
    }

    /** Has replicas compete for another Lease than that of an installed operator, whose role names its own. */
    static void allowLease(KubernetesClient client, String lease) {
        ObjectNode role = OperatorAccount.of("")
                .named("Role", "busbar-leader-election-role")
                .deepCopy();
        ObjectNode binding = OperatorAccount.of("")
                .named("RoleBinding", "busbar-leader-election-rolebinding")
                .deepCopy();
        String text = Yaml.writeAll(List.of(role, binding))
                .replace("busbar-leader-election-role", "busbar-" + lease + "-role")
                .replace("busbar-leader-election", lease);
        Yaml.readAll(text).forEach(object -> client.resource(object.toString()).patch(APPLY));
    }

    private ObjectNode named(String kind, String name) {
        return objects.stream()
                .filter(object -> object.path("kind").asText().equals(kind)
                        && object.at("/metadata/name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /**
     * But for what the operator of this suite is not asked for: an election takes several, and its metrics are for all.
     */
    private List<ObjectNode> bound(String kind) {
        return objects.stream()
                .filter(object -> object.path("kind").asText().equals(kind))
                .filter(role ->
                        !role.at("/metadata/name").asText().matches("busbar-(leader-election|metrics-auth)-role"))
                .filter(role -> objects.stream()
                        .anyMatch(binding -> binding.path("kind").asText().equals(kind + "Binding")
                                && binding.at("/roleRef/name").equals(role.at("/metadata/name"))))
                .toList();
    }
}

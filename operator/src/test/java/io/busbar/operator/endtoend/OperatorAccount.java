package io.busbar.operator.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.yaml.Yaml;
import io.busbar.operator.bundled.Bundled;
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
import java.util.Set;

/** The service account that an installed operator has, with exactly the generated roles. Any thread; blocks. */
final class OperatorAccount {

    private static final Set<String> KINDS =
            Set.of("ServiceAccount", "ClusterRole", "Role", "ClusterRoleBinding", "RoleBinding");
    private static final String NAME = "busbar-controller-manager";
    /** The longest that a suite takes, soaks included. */
    private static final long SECONDS = 24 * 3600L;

    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager("end-to-end")
            .withForce(true)
            .build();

    private final List<ObjectNode> objects =
            Yaml.readAll(Bundled.operator().manifests().files().get("dist/install-self-signed.yaml")).stream()
                    .filter(object -> KINDS.contains(object.path("kind").asText()))
                    .toList();

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
        for (ObjectNode object : objects) {
            client.resource(object.toString()).patch(APPLY);
        }
        TokenRequest request = new TokenRequestBuilder()
                .withNewSpec()
                .withExpirationSeconds(SECONDS)
                .endSpec()
                .build();
        String token = client.serviceAccounts()
                .inNamespace(namespace)
                .withName(NAME)
                .tokenRequest(request)
                .getStatus()
                .getToken();
        JsonNode own = Yaml.read(Files.readString(kubeconfig));
        own.path("users").forEach(user -> ((ObjectNode) user).putObject("user").put("token", token));
        Path written = Files.createTempFile("busbar-operator", ".kubeconfig");
        written.toFile().deleteOnExit();
        return Files.writeString(written, Yaml.write(own));
    }

    /** But for what the operator of this suite is not asked for: an election takes several, and its metrics are for all. */
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

package io.busbar.sandbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.sandbox.faults.Fault;
import io.busbar.sandbox.faults.Faults;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds on a sandbox, and on the cluster that a run of tests is told of. */
@KubernetesSandbox(crds = "crds", manifests = "settings.yaml", rbac = true)
class EitherServerTest {

    private static final String V1 = "testkit.example.com/v1";

    private final String fromConstructor;

    EitherServerTest(@TestNamespace String namespace) {
        fromConstructor = namespace;
    }

    @Test
    void has_the_kinds_and_objects_that_the_class_names(KubernetesClient client) {
        GenericKubernetesResource widget = client.genericKubernetesResources(V1, "Widget")
                .inNamespace("default")
                .withName("testkit-first")
                .get();
        assertThat(widget.<Integer>get("spec", "size")).isEqualTo(3);
        assertThat(client.configMaps()
                        .inNamespace("default")
                        .withName("testkit-settings")
                        .get()
                        .getData())
                .isEqualTo(Map.of("colour", "green"));
        assertThat(client.genericKubernetesResources(V1, "Gizmo")
                        .inAnyNamespace()
                        .list()
                        .getItems())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void each_test_has_a_namespace_of_its_own(
            int size, @TestNamespace String namespace, @TestNamespace KubernetesClient client) {
        assertThat(namespace)
                .matches("each-test-has-a-namespace-of-its-own-[0-9a-f]{5}")
                .isEqualTo(fromConstructor);
        assertThat(client.getNamespace()).isEqualTo(namespace);
        assertThat(client.serviceAccounts().withName("default").get()).isNotNull();
        client.resource(widget(size)).create();
        assertThat(client.genericKubernetesResources(V1, "Widget").list().getItems())
                .hasSize(1);
        assertThatThrownBy(() -> client.resource(widget(11)).create())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("spec.size");
    }

    private static GenericKubernetesResource widget(int size) {
        return new GenericKubernetesResourceBuilder()
                .withApiVersion(V1)
                .withKind("Widget")
                .withNewMetadata()
                .withName("size-" + size)
                .endMetadata()
                .addToAdditionalProperties("spec", Map.of("size", size))
                .build();
    }

    @Test
    void a_user_may_do_what_roles_say(
            @AsUser(name = "jane", groups = "testkit-devs") @TestNamespace KubernetesClient jane,
            @AsUser(name = "jane", groups = "testkit-devs") @Kubeconfig String kubeconfig,
            @TestNamespace String namespace,
            KubernetesClient admin) {
        assertThatThrownBy(() -> jane.configMaps().list())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(
                        "User \"jane\" cannot list resource \"configmaps\" in API group \"\" in the namespace \""
                                + namespace + "\"");
        admin.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withName("view")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "view")
                        .addNewSubject("rbac.authorization.k8s.io", "Group", "testkit-devs", null)
                        .build())
                .create();
        org.awaitility.Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .ignoreExceptionsInstanceOf(KubernetesClientException.class)
                .untilAsserted(
                        () -> assertThat(jane.configMaps().list().getItems()).isNotNull());
        assertThatThrownBy(() -> jane.configMaps().delete())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("User \"jane\" cannot delete");
        assertThat(Config.fromKubeconfig(kubeconfig).getMasterUrl())
                .isEqualTo(admin.getConfiguration().getMasterUrl());
    }

    @Test
    void a_sandbox_can_do_more(Faults faults, KubernetesClient client) {
        var fault = faults.inject(Fault.on("list", "nodes").refused(403));
        assertThatThrownBy(() -> client.nodes().list()).isInstanceOf(KubernetesClientException.class);
        assertThat(fault.hits()).isEqualTo(1);
    }
}

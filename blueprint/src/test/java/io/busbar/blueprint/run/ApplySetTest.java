package io.busbar.blueprint.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.blueprint.Blueprints;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ApplySetTest {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private static GenericKubernetesResource object(String yaml) {
        return SERIALIZATION.unmarshal(yaml, GenericKubernetesResource.class);
    }

    private static ApplySet of(String kinds, String namespaces) {
        return new ApplySet(
                new TreeSet<>(List.of(kinds.split(" "))),
                namespaces.isEmpty() ? new TreeSet<>() : new TreeSet<>(List.of(namespaces.split(" "))));
    }

    @Test
    void has_the_name_that_kubectl_gives_it() {
        assertThat(ApplySet.idOf(object("apiVersion: v1\nkind: Secret\nmetadata: {name: my-set, namespace: test}")))
                .isEqualTo("applyset-0eFHV8ySqp7XoShsGvyWFQD3s96yqwHmzc4e0HR1dsY-v1");
        assertThat(ApplySet.idOf(object("apiVersion: a.example.com/v1\nkind: Site\nmetadata: {name: my-set}")))
                .isEqualTo(ApplySet.idOf(object("apiVersion: a.example.com/v2\nkind: Site\nmetadata: {name: my-set}")))
                .isNotEqualTo(
                        ApplySet.idOf(object("apiVersion: b.example.com/v1\nkind: Site\nmetadata: {name: my-set}")));
    }

    @Test
    void is_written_where_an_instance_says_something_else() {
        GenericKubernetesResource instance =
                object("apiVersion: a.example.com/v1\nkind: Site\nmetadata: {name: my-set}");

        assertThat(of("Service Deployment.apps", "two one").toApply(instance))
                .hasValueSatisfying(object -> assertThat(object)
                        .hasToString(Blueprints.objects("""
                                        apiVersion: a.example.com/v1
                                        kind: Site
                                        metadata:
                                          name: my-set
                                          labels:
                                            applyset.kubernetes.io/id: %s
                                          annotations:
                                            applyset.kubernetes.io/tooling: busbar/dev
                                            applyset.kubernetes.io/contains-group-kinds: Deployment.apps,Service
                                            applyset.kubernetes.io/additional-namespaces: one,two
                                        """.formatted(ApplySet.idOf(instance)))
                                .get(0)
                                .toString()));

        GenericKubernetesResource same = object("""
                apiVersion: a.example.com/v1
                kind: Site
                metadata:
                  name: my-set
                  labels: {applyset.kubernetes.io/id: "%s"}
                  annotations:
                    applyset.kubernetes.io/tooling: busbar/0.1
                    applyset.kubernetes.io/contains-group-kinds: Deployment.apps,Service
                """.formatted(ApplySet.idOf(instance)));
        assertThat(of("Service Deployment.apps", "").toApply(same))
                .as("another version alone")
                .isEmpty();
        same.getMetadata().setNamespace("copied");
        assertThat(of("Service Deployment.apps", "").toApply(same))
                .as("with the label of another one")
                .isPresent();
    }

    @Test
    void knows_what_an_instance_says_but_for_what_is_no_kind() {
        assertThat(ApplySet.saidBy(object("""
                        metadata:
                          annotations:
                            applyset.kubernetes.io/contains-group-kinds: "Service, Deployment.apps,Evil.a/../../b,,.x,A b"
                            applyset.kubernetes.io/additional-namespaces: "one"
                        """))).isEqualTo(of("Deployment.apps Service", "one"));
    }

    @Test
    void tells_another_tool_from_another_version() {
        String tooling = "metadata: {annotations: {applyset.kubernetes.io/tooling: %s}}";
        assertThat(ApplySet.otherTool(object(tooling.formatted("busbar/2.0")))).isEmpty();
        assertThat(ApplySet.otherTool(object("metadata: {name: a}"))).isEmpty();
        assertThat(ApplySet.otherTool(object(tooling.formatted("kubectl/v1.30"))))
                .contains("kubectl/v1.30");
        assertThat(ApplySet.otherTool(object(tooling.formatted("busbarista/1"))))
                .contains("busbarista/1");
    }
}

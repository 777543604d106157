package io.busbar.manifests.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class YamlTest {

    private final ConfigMap settings = new ConfigMapBuilder()
            .withNewMetadata()
            .withName("settings")
            .addToLabels("b", "2")
            .addToLabels("a", "yes")
            .endMetadata()
            .addToData("kind", "plain text")
            .build();

    @Test
    void writes_a_document_with_its_identity_first_and_the_rest_by_name() {
        assertThat(Yaml.write(settings)).isEqualTo("""
                        apiVersion: v1
                        kind: ConfigMap
                        metadata:
                          labels:
                            a: "yes"
                            b: "2"
                          name: settings
                        data:
                          kind: plain text
                        """);
    }

    @Test
    void writes_lists_at_the_column_of_their_key() {
        ClusterRole role = new ClusterRoleBuilder()
                .withNewMetadata()
                .withName("reader")
                .endMetadata()
                .addNewRule()
                .withApiGroups("")
                .withResources("pods", "pods/status")
                .withVerbs("*")
                .endRule()
                .build();
        assertThat(Yaml.write(role)).endsWith("""
                        rules:
                        - apiGroups:
                          - ""
                          resources:
                          - pods
                          - pods/status
                          verbs:
                          - "*"
                        """);
    }

    @Test
    void puts_a_line_between_documents() {
        assertThat(Yaml.writeAll(List.of(settings, settings)))
                .isEqualTo(Yaml.write(settings) + "---\n" + Yaml.write(settings));
    }

    /** Such as certificates and tokens, which are in a kubeconfig. */
    @Test
    void writes_a_long_text_as_any_other() {
        String text = "eyJhbGciOiJSUzI1NiJ9.".repeat(10_000);

        assertThat(Yaml.write(Map.of("token", text))).isEqualTo("token: " + text + "\n");
    }
}

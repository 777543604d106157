package io.busbar.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import org.junit.jupiter.api.Test;

class ResourceTypeTest {

    @Test
    void reads_the_kind_from_a_model_class() {
        assertThat(ResourceType.of(Deployment.class))
                .isEqualTo(new ResourceType("apps", "v1", "Deployment", "deployments", true));
        assertThat(ResourceType.of(Namespace.class))
                .isEqualTo(new ResourceType("", "v1", "Namespace", "namespaces", false));
    }

    @Test
    void knows_its_paths_with_and_without_a_group() {
        ResourceType pods = ResourceType.of(Pod.class);
        ResourceType deployments = ResourceType.of(Deployment.class);

        assertThat(pods.path()).isEqualTo("/api/v1/pods");
        assertThat(pods.path("ns")).isEqualTo("/api/v1/namespaces/ns/pods");
        assertThat(deployments.path("ns")).isEqualTo("/apis/apps/v1/namespaces/ns/deployments");
        assertThat(deployments.apiVersion()).isEqualTo("apps/v1");
        assertThat(deployments).hasToString("deployments.apps");
        assertThat(pods).hasToString("pods");
    }
}

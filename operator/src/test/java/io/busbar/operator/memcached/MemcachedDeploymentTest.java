package io.busbar.operator.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.memcached.v1alpha1.Memcached;
import io.busbar.operator.memcached.v1alpha1.MemcachedSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemcachedDeploymentTest {

    @Test
    void has_the_name_the_size_the_port_and_the_image_that_are_asked_for() {
        Deployment deployment = deployment("a", new MemcachedSpec(3, 11311));

        assertThat(deployment.getMetadata().getName()).isEqualTo("a");
        assertThat(deployment.getMetadata().getNamespace()).isEqualTo("ns");
        assertThat(deployment.getSpec().getReplicas()).isEqualTo(3);
        Container container = container(deployment);
        assertThat(container.getImage()).isEqualTo("example/memcached:2");
        assertThat(container.getCommand()).containsExactly("memcached", "-m=64", "-o", "modern", "-v");
        assertThat(container.getArgs()).containsExactly("-p", "11311");
        assertThat(container.getPorts())
                .singleElement()
                .satisfies(port -> assertThat(port.getContainerPort()).isEqualTo(11311));
    }

    @Test
    void one_server_on_the_usual_port_when_nothing_is_said() {
        Deployment deployment = deployment("a", null);

        assertThat(deployment.getSpec().getReplicas()).isEqualTo(1);
        assertThat(container(deployment).getPorts().get(0).getContainerPort()).isEqualTo(11211);
    }

    @Test
    void selects_its_own_pods_and_no_other_memcacheds() {
        Map<String, String> selected =
                deployment("a", null).getSpec().getSelector().getMatchLabels();

        assertThat(deployment("a", null).getSpec().getTemplate().getMetadata().getLabels())
                .containsAllEntriesOf(selected);
        assertThat(deployment("b", null).getSpec().getTemplate().getMetadata().getLabels())
                .doesNotContainEntry("app.kubernetes.io/instance", selected.get("app.kubernetes.io/instance"));
    }

    @Test
    void passes_the_restricted_pod_security_standard() {
        Deployment deployment = deployment("a", null);

        assertThat(deployment.getSpec().getTemplate().getSpec().getSecurityContext())
                .satisfies(context -> {
                    assertThat(context.getRunAsNonRoot()).isTrue();
                    assertThat(context.getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
                });
        assertThat(container(deployment).getSecurityContext()).satisfies(context -> {
            assertThat(context.getRunAsUser()).isEqualTo(1001);
            assertThat(context.getAllowPrivilegeEscalation()).isFalse();
            assertThat(context.getCapabilities().getDrop()).containsExactly("ALL");
        });
    }

    private static Deployment deployment(String name, MemcachedSpec spec) {
        Memcached memcached = new Memcached();
        memcached.getMetadata().setName(name);
        memcached.getMetadata().setNamespace("ns");
        memcached.setSpec(spec);
        return new MemcachedReconciler("example/memcached:2", Clock.systemUTC()).deployment(memcached);
    }

    private static Container container(Deployment deployment) {
        return deployment.getSpec().getTemplate().getSpec().getContainers().get(0);
    }
}

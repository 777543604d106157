package io.busbar.sandbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.clock.ManualClock;
import io.busbar.sandbox.faults.Fault;
import io.busbar.sandbox.faults.Faults;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@KubernetesSandbox(version = "v1.29.4", nodes = 2, tls = false, rbac = true, manualClock = true)
class KubernetesSandboxTest {

    private final Sandbox sandbox;

    KubernetesSandboxTest(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    @Test
    void gives_a_client_for_the_server_that_the_annotation_describes(KubernetesClient client) {
        assertThat(client.getMasterUrl().toString()).startsWith(sandbox.url());
        assertThat(client.getKubernetesVersion().getGitVersion()).isEqualTo("v1.29.4");
        assertThat(client.nodes().list().getItems()).hasSize(2);
    }

    @Test
    void gives_a_kubeconfig(@Kubeconfig String text, @Kubeconfig Path file) throws Exception {
        assertThat(text).contains(sandbox.url());
        assertThat(Files.readString(file)).isEqualTo(text);
    }

    @Test
    void gives_faults_and_the_clock(Faults faults, ManualClock clock, KubernetesClient client) {
        faults.inject(Fault.on("list", "pods").refused(403));
        assertThat(org.assertj.core.api.Assertions.catchThrowableOfType(
                                KubernetesClientException.class,
                                () -> client.pods().list())
                        .getCode())
                .isEqualTo(403);
        assertThat(clock.instant()).isNotNull();
    }

    @Test
    void asks_roles_what_others_may_do(KubernetesClient client) {
        Config bob = new ConfigBuilder(client.getConfiguration())
                .withImpersonateUsername("bob")
                .build();
        try (KubernetesClient other =
                new KubernetesClientBuilder().withConfig(bob).build()) {
            assertThatThrownBy(() -> other.secrets().inNamespace("default").list())
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("User \"bob\" cannot list resource \"secrets\"");
        }
        assertThat(client.secrets().inNamespace("default").list().getItems()).isNotNull();
    }

    @Test
    void goes_with_the_extension_of_vertx(Vertx vertx, VertxTestContext test) {
        URI uri = URI.create(sandbox.url());
        vertx.createHttpClient()
                .request(HttpMethod.GET, uri.getPort(), uri.getHost(), "/readyz")
                .compose(request -> request.putHeader("Authorization", "Bearer " + sandbox.token())
                        .send())
                .onComplete(test.succeeding(answer -> {
                    assertThat(answer.statusCode()).isEqualTo(200);
                    test.completeNow();
                }));
    }

    @Nested
    class Within {

        @Test
        void is_the_server_of_the_class_around_it(Sandbox inner) {
            assertThat(inner).isSameAs(sandbox);
        }
    }
}

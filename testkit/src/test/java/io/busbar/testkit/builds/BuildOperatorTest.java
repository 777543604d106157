package io.busbar.testkit.builds;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.ExternalChange;
import io.busbar.sandbox.testkit.TestNamespace;
import io.busbar.testkit.OperatorTest;
import io.busbar.testkit.RunningOperator;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@OperatorTest(bundles = BuildBundle.class)
class BuildOperatorTest {

    private final KubernetesClient client;
    private final ObjectKey web;
    private final String url;

    BuildOperatorTest(KubernetesClient client, @TestNamespace String namespace) {
        this.client = client;
        this.web = ObjectKey.of(namespace, "web");
        this.url = "git://" + namespace;
    }

    @Test
    void a_call_has_a_build_looked_at_at_once() {
        Git.HEADS.put(url, "c1");
        createFrozen();

        thaw();
        BuildBundle.THAWS.enqueue(web);

        built("c1");
        assertThat(client.batch().v1().jobs().withName("web-c1").get()).isNotNull();
    }

    @Test
    void a_message_has_a_build_looked_at_at_once(RunningOperator operator) {
        Git.HEADS.put(url, "c2");
        createFrozen();

        thaw();
        operator.vertx().eventBus().publish("builds.thawed", new ExternalChange(web));

        built("c2");
    }

    private void createFrozen() {
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("git")
                        .addToLabels("sample.example.com/build", "web")
                        .endMetadata()
                        .withData(Map.of("token", "c2VjcmV0"))
                        .build())
                .create();
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("freeze")
                        .endMetadata()
                        .build())
                .create();
        client.resource(Build.of("web", url)).create();
        await(new Build.Status("", "builds are frozen"));
    }

    private void thaw() {
        client.configMaps().withName("freeze").delete();
    }

    private void built(String commit) {
        await(new Build.Status(commit, ""));
    }

    private void await(Build.Status status) {
        client.resources(Build.class)
                .withName("web")
                .waitUntilCondition(build -> build != null && status.equals(build.getStatus()), 60, TimeUnit.SECONDS);
    }
}

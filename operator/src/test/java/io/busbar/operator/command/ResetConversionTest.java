package io.busbar.operator.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.busbar.operator.Main;
import io.busbar.operator.bundled.Bundled;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.options.BindAddress;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.options.WebhookOptions;
import io.busbar.sandbox.Sandbox;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SidecarSets after an operator that has gone, and after it is back. */
class ResetConversionTest {

    private static final String NARROW = """
            apiVersion: apps.kruise.io/v1alpha1
            kind: SidecarSet
            metadata:
              name: narrow
            spec:
              namespace: shop
              selector:
                matchLabels:
                  app: till
              containers:
              - name: proxy
                image: example/proxy:1
            """;

    private final Sandbox sandbox = Sandbox.start();
    private final KubernetesClient client = new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(sandbox.kubeconfig()))
            .build();
    private String url;

    @TempDir
    private Path folder;

    @BeforeEach
    void creates_a_set_while_the_operator_runs() throws Exception {
        // Systems give outgoing connections ports from 32768 on, so that none of those gets it before the operator
        // does.
        int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
        try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            url = "https://127.0.0.1:" + free.getLocalPort();
        }
        Installation.install(client, Bundled.operator());
        run(() -> client.resource(NARROW).create());
    }

    @AfterEach
    void stop() {
        client.close();
        sandbox.close();
    }

    @Test
    void sets_are_read_whole_without_the_operator_and_in_both_versions_when_it_is_back() throws Exception {
        assertThatThrownBy(() -> sets("v1alpha1").list())
                .as("nobody is there who converts")
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("conversion webhook");

        Outcome outcome = reset("--webhook-url=" + url);

        assertThat(outcome.out())
                .isEqualTo(
                        "sidecarsets.apps.kruise.io: v1beta1 is served without conversion; not served any more: v1alpha1\n");
        assertThat(outcome.code()).isZero();
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() ->
                        assertThat(served()).containsOnly(Map.entry("v1beta1", true), Map.entry("v1alpha1", false)));
        assertThat(sets("v1beta1").list().getItems())
                .singleElement()
                .satisfies(set -> assertThat(set.<String>get(
                                "spec", "namespaceSelector", "matchLabels", "kubernetes.io/metadata.name"))
                        .isEqualTo("shop"));
        // As somebody does who edits it meanwhile.
        sets("v1beta1").withName("narrow").edit(set -> {
            set.getMetadata().setLabels(Map.of("edited", "true"));
            return set;
        });

        run(() -> {
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .until(() -> sets("v1alpha1").list() != null);
            GenericKubernetesResource set = sets("v1alpha1").withName("narrow").require();
            assertThat(set.<String>get("spec", "namespace")).isEqualTo("shop");
        });
    }

    @Test
    void what_another_installation_converts_is_left_alone() throws Exception {
        Outcome outcome = reset("--namespace=shop");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out())
                .isEqualTo("sidecarsets.apps.kruise.io: left as it is: converted by " + url
                        + "/convert, not by Service shop/busbar-webhook-service\n");
        assertThat(served()).containsEntry("v1alpha1", true);
    }

    @Test
    void a_url_with_a_path_is_refused() throws Exception {
        Outcome outcome = reset("--webhook-url=" + url + "/convert");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains("--webhook-url").contains("https://HOST[:PORT], without a path");
    }

    private record Outcome(int code, String out, String err) {}

    private Outcome reset(String flag) throws Exception {
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), sandbox.kubeconfig());
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.program()
                .commandLine(Map.of(), new PrintWriter(out, true), new PrintWriter(err, true))
                .execute("reset-conversion", "--kubeconfig=" + kubeconfig, flag);
        return new Outcome(code, out.toString(), err.toString());
    }

    /** While an operator runs, which goes afterwards with its admission webhooks. */
    private void run(Runnable meanwhile) throws Exception {
        OperatorOptions beside = OperatorOptions.besideCluster("busbar");
        WebhookOptions webhooks = beside.webhooks();
        StandaloneOperator operator = new StandaloneOperator(
                Bundled.operator(),
                client.getConfiguration(),
                beside.toBuilder()
                        .webhooks(new WebhookOptions(
                                new BindAddress("127.0.0.1", URI.create(url).getPort(), true),
                                webhooks.certificates(),
                                Optional.empty(),
                                Optional.of(url),
                                webhooks.service(),
                                false))
                        .build());
        operator.start();
        try {
            meanwhile.run();
        } finally {
            operator.stop();
        }
        client.admissionRegistration().v1().mutatingWebhookConfigurations().delete();
        client.admissionRegistration().v1().validatingWebhookConfigurations().delete();
    }

    private MixedOperation<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            sets(String version) {
        return StorageMigrationTest.sets(client, version);
    }

    private Map<String, Boolean> served() {
        return client
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("sidecarsets.apps.kruise.io")
                .require()
                .getSpec()
                .getVersions()
                .stream()
                .collect(Collectors.toMap(
                        CustomResourceDefinitionVersion::getName, CustomResourceDefinitionVersion::getServed));
    }
}

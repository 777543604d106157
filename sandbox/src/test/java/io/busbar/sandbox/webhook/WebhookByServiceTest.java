package io.busbar.sandbox.webhook;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.suite.WebhookServer;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebhookByServiceTest {

    @AutoClose
    private final Sandbox sandbox = Sandbox.start();

    @AutoClose
    private final WebhookServer server = new WebhookServer("hook.default.svc");

    @AutoClose
    private final KubernetesClient client = new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder(Config.fromKubeconfig(sandbox.kubeconfig()))
                    .withNamespace("default")
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();

    @BeforeEach
    void register() {
        server.on("/v", request -> WebhookServer.denied("asked by service"));
        load("""
                {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
                 "metadata": {"name": "hook"},
                 "webhooks": [{"name": "hook.example.com", "clientConfig": %s, "sideEffects": "None",
                   "admissionReviewVersions": ["v1"], "rules": [{"apiGroups": [""], "apiVersions": ["v1"],
                   "resources": ["configmaps"], "operations": ["CREATE"]}]}]}""".formatted(server.by("default", "hook", 443, "/v").replace('\'', '"')));
    }

    private void load(String object) {
        client.resource(object).create();
    }

    private void isAnswered(String message) {
        assertThatThrownBy(() -> client.resource(new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName("a")
                                .endMetadata()
                                .build())
                        .create())
                .hasMessageContaining(message);
    }

    private void service() {
        load("{\"apiVersion\": \"v1\", \"kind\": \"Service\", \"metadata\": {\"name\": \"hook\"},"
                + " \"spec\": {\"ports\": [{\"name\": \"https\", \"port\": 443}]}}");
    }

    @Test
    void goes_to_a_port_that_the_test_tells() {
        isAnswered("service \"hook\" not found");
        sandbox.route("default/hook", new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        isAnswered("denied the request: asked by service");
        assertThatThrownBy(() -> sandbox.route("hook", new InetSocketAddress(1)))
                .hasMessage("not a Service: 'hook', such as namespace/name");
    }

    @Test
    void goes_where_an_endpoint_slice_says_for_the_port_of_that_name() {
        service();
        isAnswered("no endpoints available for service \"hook\"");
        load("""
                {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4",
                 "metadata": {"name": "hook-1", "labels": {"kubernetes.io/service-name": "hook"}},
                 "ports": [{"name": "other", "port": 1}, {"name": "https", "port": %d}],
                 "endpoints": [{"addresses": ["127.0.0.1"]}]}""".formatted(server.port()));
        isAnswered("denied the request: asked by service");
    }

    @Test
    void goes_where_endpoints_say() throws SocketException {
        String address = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(each -> each instanceof Inet4Address && !each.isLoopbackAddress() && !each.isLinkLocalAddress())
                .map(InetAddress::getHostAddress)
                .findFirst()
                .orElse("");
        assumeThat(address)
                .as("this machine has an address that Endpoints may have")
                .isNotEmpty();
        service();
        load("""
                {"apiVersion": "v1", "kind": "Endpoints", "metadata": {"name": "hook"},
                 "subsets": [{"addresses": [{"ip": "%s"}], "ports": [{"name": "https", "port": %d}]}]}""".formatted(address, server.port()));
        isAnswered("denied the request: asked by service");
    }
}

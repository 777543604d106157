package io.busbar.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServingAddressTest {

    private static final SandboxOptions SMALL = SandboxOptions.defaults().withNodes(0);

    @TempDir
    private Path folder;

    @Test
    void listens_for_this_machine_alone_unless_told() {
        assertThat(ServingAddress.of(SMALL).isOpen()).isFalse();
        assertThat(ServingAddress.of(SMALL.withBindAddress("::1")).isOpen()).isFalse();
        assertThat(ServingAddress.of(SMALL.withBindAddress("0.0.0.0")).isOpen()).isTrue();
        assertThat(ServingAddress.of(SMALL.withBindAddress("::")).isOpen()).isTrue();
    }

    @Test
    void tells_clients_the_first_name_with_the_port_that_they_use() {
        SandboxOptions open = SMALL.withBindAddress("0.0.0.0");
        ServingAddress published = ServingAddress.of(
                open.withAdvertiseAddresses("dev.example.com:16443", "192.0.2.7", "[2001:db8::7]:443"));
        assertThat(published.url(true, 6443)).isEqualTo("https://dev.example.com:16443");
        assertThat(published.hosts()).containsExactly("dev.example.com", "192.0.2.7", "2001:db8::7");
        assertThat(ServingAddress.of(open.withAdvertiseAddresses("2001:db8::7")).url(true, 6443))
                .isEqualTo("https://[2001:db8::7]:6443");
        assertThat(ServingAddress.of(SMALL.withBindAddress("127.0.0.2")).url(false, 8080))
                .isEqualTo("http://127.0.0.2:8080");
    }

    @Test
    void names_an_address_of_this_machine_where_it_listens_on_all() {
        ServingAddress all = ServingAddress.of(SMALL.withBindAddress("0.0.0.0"));
        assertThat(all.url(true, 6443)).matches("https://\\S+:6443").doesNotContain("0.0.0.0:");
        assertThat(all.hosts()).hasSize(1).doesNotContain("0.0.0.0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", "127.0.0", "256.0.0.1", "127.0.0.1:6443", "*"})
    void refuses_to_listen_on_what_is_no_address(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SMALL.withBindAddress(value))
                .withMessage("'" + value
                        + "' is not allowed; allowed: an IP address of this machine, or 0.0.0.0 or :: for all of them");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":6443",
                "0.0.0.0",
                "[::]:6443",
                "300.0.0.1",
                "a_b",
                "host:0",
                "host:65536",
                "host:https",
                "https://host"
            })
    void refuses_to_advertise_what_no_client_can_reach(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SMALL.withAdvertiseAddresses("sandbox", value))
                .withMessageStartingWith("'" + value + "' is not allowed; allowed: HOST or HOST:PORT");
    }

    @Test
    void has_a_certificate_for_the_names_by_which_it_is_reached() throws Exception {
        try (Sandbox sandbox = Sandbox.start(SMALL.withBindAddress("0.0.0.0").withAdvertiseAddresses("127.0.0.3"));
                KubernetesClient client = client(sandbox.kubeconfig())) {
            assertThat(sandbox.url()).startsWith("https://127.0.0.3:");
            assertThat(client.namespaces().withName("default").get()).isNotNull();
            int port = URI.create(sandbox.url()).getPort();
            try (Socket elsewhere = new Socket()) {
                elsewhere.connect(new InetSocketAddress("127.0.0.4", port));
            }
        }
    }

    @Test
    void lets_nobody_else_in_where_it_listens_on_one_address() throws Exception {
        try (Sandbox sandbox = Sandbox.start(SMALL.withBindAddress("127.0.0.2"))) {
            int port = URI.create(sandbox.url()).getPort();
            try (Socket elsewhere = new Socket()) {
                assertThatIOException()
                        .isThrownBy(
                                () -> elsewhere.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
            }
        }
    }

    @Test
    void goes_on_to_be_trusted_when_it_gets_another_name() {
        SandboxOptions kept = SMALL.withDataDir(folder);
        String first;
        try (Sandbox sandbox = Sandbox.start(kept)) {
            first = sandbox.kubeconfig().replaceFirst("server: .*", "server: https://OTHER");
            assertThat(sandbox.url()).startsWith("https://127.0.0.1:");
        }
        try (Sandbox sandbox = Sandbox.start(kept.withBindAddress("127.0.0.2"));
                KubernetesClient client = client(first.replace("https://OTHER", sandbox.url()))) {
            assertThat(client.namespaces().withName("default").get()).isNotNull();
        }
    }

    /** As a kube-apiserver which leaves all to everybody: it asks at least who that is. */
    @Test
    void asks_who_calls_where_everybody_may_do_everything() throws IOException {
        try (Sandbox sandbox = Sandbox.start(SMALL.withTls(false))) {
            HttpURLConnection anybody = (HttpURLConnection)
                    URI.create(sandbox.url() + "/api/v1/secrets").toURL().openConnection();
            assertThat(anybody.getResponseCode()).isEqualTo(401);
        }
    }

    private static KubernetesClient client(String kubeconfig) {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig))
                .build();
    }
}

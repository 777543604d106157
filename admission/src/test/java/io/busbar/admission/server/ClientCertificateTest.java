package io.busbar.admission.server;

import static io.busbar.admission.server.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.certificates.CertificateSource;
import io.busbar.admission.certificates.CertificateUnavailableException;
import io.busbar.admission.certificates.ClientCaFile;
import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.certificates.ServingCertificate;
import io.busbar.admission.conversion.Conversions;
import io.busbar.admission.conversion.Widgets;
import io.busbar.common.internal.certificate.KeyManagers;
import io.busbar.common.internal.certificate.Pem;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.KeyCertOptions;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Webhooks that answer only clients whose certificate a CA of a file has signed. */
class ClientCertificateTest {

    private static final Map<String, AdmissionRule> RULES = Map.of("/allow", request -> AdmissionDecision.allowed());
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    private static Path stores;

    private static Authority ours;
    private static Authority other;

    @TempDir
    private Path folder;

    /** A CA, and a client's key with its certificate of that CA. */
    private record Authority(String pem, X509KeyManager client) {}

    @BeforeAll
    static void issue() throws Exception {
        ours = authority("ours");
        other = authority("other");
    }

    @Test
    void answer_anybody_unless_told_of_a_CA() {
        try (TestServer server = new TestServer(RULES)) {
            assertThat(codeFor(server, null)).isEqualTo(200);
            assertThat(codeFor(server, ours)).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void answer_only_who_shows_a_certificate_of_that_CA(boolean http2) throws Exception {
        try (TestServer server = server(AdmissionServerOptions.defaults().withHttp2(http2))) {
            assertThat(codeFor(server, ours)).isEqualTo(200);
            assertThat(server.send(HttpMethod.POST, "/allow", "application/json", Reviews.podCreate()))
                    .satisfies(reply -> {
                        assertThat(reply.code()).isEqualTo(401);
                        assertThat(reply.body()).contains("only clients with a certificate of the CA for clients");
                    });
            assertThatThrownBy(() -> codeFor(server, other)).hasStackTraceContaining("certificate");
        }
    }

    @Test
    void say_nothing_of_their_paths_to_others() throws Exception {
        try (TestServer server = server(AdmissionServerOptions.defaults())) {
            assertThat(server.send(HttpMethod.GET, "/nothing", "text/plain", "").code())
                    .isEqualTo(401);
        }
    }

    /** An API server shows no certificate when it asks for a conversion. */
    @Test
    void convert_for_anybody_and_go_on_to_check_themselves() throws Exception {
        try (TestServer server = server(AdmissionServerOptions.defaults())) {
            assertThat(server.send(HttpMethod.POST, Conversions.PATH, "application/json", "{}")
                            .body())
                    .contains("expected ConversionReview");
            await(server.server.selfCheck());
        }
    }

    @Test
    void take_over_another_CA_and_keep_the_last_good_one_when_the_file_is_unusable() throws Exception {
        try (TestServer server = server(AdmissionServerOptions.defaults())) {
            Files.writeString(folder.resolve("ca.crt"), "garbage");
            awaitThat(
                    server,
                    () -> server.registry
                                    .counter("certwatcher.read.certificate.errors")
                                    .count()
                            > 0);
            assertThat(codeFor(server, ours)).isEqualTo(200);

            Files.writeString(folder.resolve("ca.crt"), other.pem());
            awaitThat(server, () -> isAnswered(server, other));
            assertThatThrownBy(() -> codeFor(server, ours)).hasStackTraceContaining("certificate");

            Files.writeString(folder.resolve("ca.crt"), ours.pem() + other.pem());
            awaitThat(server, () -> isAnswered(server, ours));
            assertThat(codeFor(server, other)).isEqualTo(200);
        }
    }

    @Test
    void do_not_start_without_that_file() throws Exception {
        Vertx vertx = Vertx.vertx();
        Path file = folder.resolve("ca.crt");
        assertThatThrownBy(() -> await(AdmissionServer.start(
                        vertx,
                        AdmissionServerOptions.defaults().on("127.0.0.1", 0),
                        RULES,
                        new ClientCaFile(frequent(), file),
                        new SimpleMeterRegistry())))
                .hasMessage(file + ": no such file");
        Files.writeString(file, "garbage");
        assertThatThrownBy(() -> new ClientCaFile(frequent(), file).read())
                .hasMessage(file + ": holds no certificate in PEM form");
        await(vertx.close());
    }

    private TestServer server(AdmissionServerOptions options) throws Exception {
        Path file = Files.writeString(folder.resolve("ca.crt"), ours.pem());
        return new TestServer(
                options, RULES, Conversions.of(List.of(Widgets.VERSIONS)), new ClientCaFile(frequent(), file));
    }

    private static CertificateSource frequent() {
        CertificateSource source = new EphemeralCertificates(List.of("127.0.0.1"));
        return new CertificateSource() {
            @Override
            public ServingCertificate read() throws CertificateUnavailableException {
                return source.read();
            }

            @Override
            public Duration interval() {
                return Duration.ofMillis(50);
            }
        };
    }

    private static boolean isAnswered(TestServer server, Authority shown) {
        try {
            return codeFor(server, shown) == 200;
        } catch (RuntimeException refused) {
            return false;
        }
    }

    private static void awaitThat(TestServer server, BooleanSupplier holds) {
        for (int attempt = 0; attempt < 500 && !holds.getAsBoolean(); attempt++) {
            await(server.vertx.timer(20));
        }
        assertThat(holds.getAsBoolean()).isTrue();
    }

    /** Over a new connection. */
    private static int codeFor(TestServer server, @Nullable Authority shown) {
        HttpClientOptions options = new HttpClientOptions()
                .setSsl(true)
                .setTrustAll(true)
                .setVerifyHost(false)
                .setUseAlpn(false)
                .setKeepAlive(false);
        if (shown != null) {
            options.setKeyCertOptions(KeyCertOptions.wrap(shown.client()));
        }
        HttpClient client = server.vertx.createHttpClient(options);
        int code = await(server.send(
                        client, HttpMethod.POST, "/allow", "application/json", Buffer.buffer(Reviews.podCreate())))
                .code();
        await(client.close());
        return code;
    }

    private static Authority authority(String name) throws Exception {
        Path file = stores.resolve(name + ".p12");
        keytool(file, "-alias", "ca", "-dname", "CN=" + name, "-ext", "bc:c");
        keytool(file, "-alias", "client", "-dname", "CN=client", "-signer", "ca", "-ext", "eku=clientAuth");
        KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD);
        X509KeyManager keys = KeyManagers.of(
                (PrivateKey) store.getKey("client", PASSWORD),
                Stream.of(store.getCertificateChain("client"))
                        .map(X509Certificate.class::cast)
                        .toList());
        return new Authority(Pem.write(List.of((X509Certificate) store.getCertificate("ca"))), new OnlyKey(keys));
    }

    private static void keytool(Path store, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1"));
        command.addAll(List.of("-keystore", store.toString(), "-storepass", new String(PASSWORD)));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    /** Shows its certificate whatever CAs the server names. */
    private static final class OnlyKey extends X509ExtendedKeyManager {

        private final X509KeyManager keys;

        OnlyKey(X509KeyManager keys) {
            this.keys = keys;
        }

        @Override
        public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
            return getClientAliases("EC", issuers)[0];
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return keys.getClientAliases("EC", null);
        }

        @Override
        public @Nullable String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return new String[0];
        }

        @Override
        public @Nullable String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return keys.getCertificateChain(alias);
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return keys.getPrivateKey(alias);
        }
    }
}

package io.busbar.sandbox.suite;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Objects;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/**
 * Where a server is, and who one is there: what a kubeconfig says.
 *
 * @param token empty for none
 * @param anybody trusts the server as {@code http} does, and has no certificate of its own to show
 */
record Connection(String url, String token, HttpClient http, HttpClient anybody) {

    static Connection of(Config config) {
        try {
            String token = Objects.requireNonNullElse(
                    config.getOauthToken(), Objects.requireNonNullElse(config.getAutoOAuthToken(), ""));
            return new Connection(
                    config.getMasterUrl().replaceFirst("/$", ""),
                    token,
                    client(config, SSLUtils.keyManagers(config)),
                    client(config, new KeyManager[0]));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("no use in the kubeconfig for " + config.getMasterUrl(), e);
        }
    }

    /** For whom a token is; empty for nobody. */
    Connection as(String other) {
        return new Connection(url, other, anybody, anybody);
    }

    private static HttpClient client(Config config, KeyManager[] keys) throws GeneralSecurityException, IOException {
        SSLContext context = SSLUtils.sslContext(keys, SSLUtils.trustManagers(config));
        return HttpClient.newBuilder()
                .sslContext(context)
                .connectTimeout(Duration.ofSeconds(10))
                .build();
    }
}

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
 * @param anybody trusts the server as {@code http} does, and has no certificate of its own to show; by HTTP/1.1, since
 *     from 1.28 on a server closes the connection of whom it does not know, and to a GOAWAY the client gives up the
 *     very request that is answered
 */
record Connection(String url, String token, HttpClient http, HttpClient anybody) {

    static Connection of(Config config) {
        try {
            String token = Objects.requireNonNullElse(
                    config.getOauthToken(), Objects.requireNonNullElse(config.getAutoOAuthToken(), ""));
            return new Connection(
                    config.getMasterUrl().replaceFirst("/$", ""),
                    token,
                    client(config, SSLUtils.keyManagers(config), HttpClient.Version.HTTP_2),
                    client(config, new KeyManager[0], HttpClient.Version.HTTP_1_1));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("no use in the kubeconfig for " + config.getMasterUrl(), e);
        }
    }

    /** For whom a token is; empty for nobody. */
    Connection as(String other) {
        return new Connection(url, other, anybody, anybody);
    }

    private static HttpClient client(Config config, KeyManager[] keys, HttpClient.Version version)
            throws GeneralSecurityException, IOException {
        SSLContext context = SSLUtils.sslContext(keys, SSLUtils.trustManagers(config));
        return HttpClient.newBuilder()
                .sslContext(context)
                .version(version)
                .connectTimeout(Duration.ofSeconds(10))
                .build();
    }
}

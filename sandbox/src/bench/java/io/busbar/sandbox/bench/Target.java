package io.busbar.sandbox.bench;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.vertx.core.MultiMap;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.KeyCertOptions;
import java.io.File;
import java.net.URI;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;

/**
 * A server to load. Its certificate is not checked.
 *
 * @param token empty for none
 * @param certificate the client's own, if any
 */
record Target(String name, URI url, String token, Optional<KeyCertOptions> certificate) {

    static Target local(String name, URI url) {
        return new Target(name, url, "", Optional.empty());
    }

    /** The cluster that a kubeconfig names, by whatever the kubeconfig has to show. */
    static Target cluster(String kubeconfig) throws Exception {
        Config config = Config.fromKubeconfig(new File(kubeconfig));
        String token = Objects.requireNonNullElse(
                config.getOauthToken(), Objects.requireNonNullElse(config.getAutoOAuthToken(), ""));
        KeyManager[] keys = SSLUtils.keyManagers(config);
        Optional<KeyCertOptions> certificate = keys != null && keys.length > 0
                ? Optional.of(KeyCertOptions.wrap((X509KeyManager) keys[0]))
                : Optional.empty();
        return new Target("real", URI.create(config.getMasterUrl()), token, certificate);
    }

    <T extends ClientOptionsBase> T secure(T options) {
        options.setSsl(url.getScheme().equals("https")).setTrustAll(true);
        certificate.ifPresent(options::setKeyCertOptions);
        return options;
    }

    MultiMap authorization() {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        return token.isEmpty() ? headers : headers.add("Authorization", "Bearer " + token);
    }

    int port() {
        return url.getPort() > 0 ? url.getPort() : url.getScheme().equals("https") ? 443 : 80;
    }
}

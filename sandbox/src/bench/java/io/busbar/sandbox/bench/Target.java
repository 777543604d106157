package io.busbar.sandbox.bench;

import io.fabric8.kubernetes.client.Config;
import java.io.File;
import java.net.URI;

/** A server to load. Its certificate is not checked. */
record Target(String name, URI url, String token) {

    /** The cluster that a kubeconfig names. */
    static Target cluster(String kubeconfig) {
        Config config = Config.fromKubeconfig(new File(kubeconfig));
        String token = config.getOauthToken();
        return new Target("real", URI.create(config.getMasterUrl()), token == null ? "" : token);
    }

    boolean tls() {
        return url.getScheme().equals("https");
    }

    int port() {
        return url.getPort() > 0 ? url.getPort() : tls() ? 443 : 80;
    }
}

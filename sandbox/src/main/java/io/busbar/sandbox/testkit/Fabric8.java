package io.busbar.sandbox.testkit;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/** All that knows fabric8's client: loaded only when a test asks for one. Any thread. */
final class Fabric8 {

    /** Compared by name, so that a test that has no such client needs none. */
    static final String CLIENT = "io.fabric8.kubernetes.client.KubernetesClient";

    private Fabric8() {}

    static Object client(String kubeconfig) {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig))
                .build();
    }

    static void close(Object client) {
        ((KubernetesClient) client).close();
    }
}

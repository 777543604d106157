package io.busbar.runtime.bundle;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;

/**
 * A ServiceAccount, whose rights somebody works with who may impersonate it.
 *
 * <p>Immutable.
 */
public record Account(String namespace, String name) {

    /**
     * The configuration of a client with its rights. The API server itself knows the groups of a ServiceAccount.
     *
     * @param own of who impersonates it; stays as it is
     */
    public Config impersonated(Config own) {
        Config copy = new ConfigBuilder(own).build();
        copy.setImpersonateUsername("system:serviceaccount:" + namespace + ":" + name);
        return copy;
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}

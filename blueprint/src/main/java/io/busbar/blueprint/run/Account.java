package io.busbar.blueprint.run;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;

/**
 * A ServiceAccount, whose rights somebody works with who may impersonate it.
 *
 * <p>Immutable.
 */
public record Account(String namespace, String name) {

    /**
     * The configuration of a client with its rights. Of the groups the API server itself knows those of a
     * ServiceAccount.
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

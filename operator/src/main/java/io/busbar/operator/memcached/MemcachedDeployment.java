package io.busbar.operator.memcached;

import io.busbar.operator.memcached.v1alpha1.Memcached;
import io.busbar.reconciler.dependent.Template;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Map;

/**
 * The Deployment that a Memcached asks for: {@code deployment.yaml}, filled in.
 *
 * <p>Immutable.
 *
 * @param image of the servers
 */
record MemcachedDeployment(String image) {

    private static final Template TEMPLATE = Template.beside(MemcachedDeployment.class, "deployment.yaml");

    Deployment of(Memcached memcached) {
        return TEMPLATE.fill(
                Deployment.class,
                Map.of(
                        "name", memcached.getMetadata().getName(),
                        "namespace", memcached.getMetadata().getNamespace(),
                        "size", memcached.wanted().size(),
                        "port", memcached.wanted().containerPort(),
                        "image", image));
    }
}

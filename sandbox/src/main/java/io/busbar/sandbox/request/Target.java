package io.busbar.sandbox.request;

import io.busbar.common.ObjectKey;
import io.busbar.sandbox.resource.Resource;

/**
 * What a request is about.
 *
 * <p>Immutable.
 *
 * @param namespace empty for the cluster scope and for all namespaces
 * @param name empty for a collection
 * @param subresource empty for the object itself
 */
public record Target(Resource resource, String namespace, String name, String subresource) {

    public ObjectKey key() {
        return new ObjectKey(namespace, name);
    }

    public Target named(String other) {
        return new Target(resource, namespace, other, subresource);
    }

    public Target sub(String other) {
        return new Target(resource, namespace, name, other);
    }
}

package io.busbar.operator.memcached.v1alpha1;

import io.busbar.common.RecordResource;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * A number of memcached servers. Namespaced.
 *
 * <p>For the thread that holds it: mutable as all of the client's models are.
 */
@Group("cache.example.com")
@Version("v1alpha1")
@AdditionalPrinterColumn(name = "Size", jsonPath = ".spec.size", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Ready",
        jsonPath = ".status.readyReplicas",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Available", jsonPath = ".status.conditions[?(@.type==\"Available\")].status")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class Memcached extends RecordResource<Memcached, MemcachedSpec, MemcachedStatus> implements Namespaced {

    private static final long serialVersionUID = 1L;

    /** What is asked for, with defaults where nothing is said. */
    public MemcachedSpec wanted() {
        return MemcachedSpec.withDefaults(getSpec());
    }
}

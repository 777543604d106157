package io.busbar.operator.memcached.v1alpha1;

import static io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type.DATE;
import static io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type.INTEGER;

import io.busbar.common.RecordResource;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Objects;

/** A number of memcached servers. For the thread that holds it: mutable as all of the client's models are. */
@Group("cache.example.com")
@Version("v1alpha1")
@AdditionalPrinterColumn(name = "Size", jsonPath = ".spec.size", type = INTEGER)
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.readyReplicas", type = INTEGER)
@AdditionalPrinterColumn(name = "Available", jsonPath = ".status.conditions[?(@.type==\"Available\")].status")
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = DATE)
public final class Memcached extends RecordResource<Memcached, MemcachedSpec, MemcachedStatus> implements Namespaced {

    /** The same object, with a spec that leaves nothing to defaults. */
    public Memcached withDefaults() {
        return withSpec(Objects.requireNonNullElse(getSpec(), new MemcachedSpec(null, null))
                .withDefaults());
    }
}

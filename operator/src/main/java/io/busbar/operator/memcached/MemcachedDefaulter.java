package io.busbar.operator.memcached;

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.Defaulter;
import io.busbar.operator.memcached.v1alpha1.Memcached;

/** Writes out what a Memcached leaves to defaults, also when it has no spec, where those of the schema do not reach. Any thread. */
final class MemcachedDefaulter implements Defaulter<Memcached> {

    @Override
    public Memcached withDefaults(Memcached memcached, AdmissionRequest request) {
        memcached.setSpec(memcached.wanted());
        return memcached;
    }
}

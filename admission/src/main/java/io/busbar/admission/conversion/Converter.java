package io.busbar.admission.conversion;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Says what an object of one version, the spoke, is in the hub version of its kind, and the reverse.
 *
 * <p>Called on an event loop: pure, no I/O. It need not care for what the other version cannot hold, which is kept in
 * an annotation and put back on the way back. Of the metadata only labels and annotations count; where a converter sets
 * no metadata, they stay as they are. An argument may be changed and used in the result. An exception refuses the
 * conversion, its message as the reason.
 *
 * @param <S> the spoke
 * @param <H> the hub
 */
public interface Converter<S extends HasMetadata, H extends HasMetadata> {

    H toHub(S spoke);

    S fromHub(H hub);
}

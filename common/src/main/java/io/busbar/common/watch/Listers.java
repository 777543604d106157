package io.busbar.common.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** The listers of all types that an operator watches. Any thread. */
public interface Listers {

    /**
     * @throws IllegalArgumentException when nobody has declared a watch of this type
     */
    <T extends HasMetadata> Lister<T> lister(Class<T> type);
}

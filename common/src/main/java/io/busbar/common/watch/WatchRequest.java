package io.busbar.common.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;

/**
 * A watch with what it is wanted for: lookups of its store, and requests to controllers.
 *
 * <p>Immutable. Indexes and triggers may be none.
 */
public record WatchRequest<T extends HasMetadata>(
        WatchSpec<T> spec, List<Index<T>> indexes, List<Trigger<T>> triggers) {

    public WatchRequest {
        indexes = List.copyOf(indexes);
        triggers = List.copyOf(triggers);
    }

    /** To be read only, as admission rules do. */
    public static <T extends HasMetadata> WatchRequest<T> readOnly(WatchSpec<T> spec, List<Index<T>> indexes) {
        return new WatchRequest<>(spec, indexes, List.of());
    }
}

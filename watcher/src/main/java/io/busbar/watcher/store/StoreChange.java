package io.busbar.watcher.store;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.common.watch.Change;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a write has done to the store.
 *
 * <p>Immutable.
 *
 * @param resourceVersion as {@link ResourceChanged} has it
 * @param change before and after, decoded when asked for; empty where neither fits the model class
 */
public record StoreChange<T>(
        ObjectKey key, ResourceChanged.Kind kind, String resourceVersion, Supplier<Optional<Change<T>>> change) {}

package io.busbar.reconciler.view;

import io.busbar.common.watch.WatchSpec;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A primary as its controller reads it.
 *
 * @param object not to be changed
 * @param watch which says what is left out
 */
public record StoredPrimary(HasMetadata object, WatchSpec<?> watch) {}

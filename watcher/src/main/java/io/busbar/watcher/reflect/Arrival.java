package io.busbar.watcher.reflect;

import io.busbar.watcher.wire.Signal;
import org.jspecify.annotations.Nullable;

/** A signal, with its object made ready for the context; null where it has none, or none that is kept. Immutable. */
record Arrival<E>(Signal signal, @Nullable E object) {}

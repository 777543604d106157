package io.busbar.watcher.reflect;

import io.busbar.watcher.wire.Signal;
import org.jspecify.annotations.Nullable;

/** A signal, with the object it carries made ready for the context; null where it carries none
 * that is kept. Immutable. */
record Arrival<E>(Signal signal, @Nullable E object) {}

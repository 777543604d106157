/**
 * What to watch ({@link WatchSpec}), whom to tell of it ({@link Trigger}: predicate, then mapping to primaries), and
 * how to read it ({@link Lister}, {@link Index}).
 *
 * <p>Reconcilers and admission rules declare and read these; only the watcher module carries them out.
 */
@NullMarked
package io.busbar.common.watch;

import org.jspecify.annotations.NullMarked;

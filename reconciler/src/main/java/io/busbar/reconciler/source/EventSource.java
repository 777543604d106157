package io.busbar.reconciler.source;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Something other than a watch that has primaries reconciled: what controller-runtime calls a Source, and the Java
 * Operator SDK an EventSource. Declared with {@link io.busbar.reconciler.Controller#source}; the engine starts and
 * stops it with the controller.
 *
 * <p>A source names keys and nothing else: what is to be done follows from the state that the reconciler finds. Keys
 * wait in the same queue as those of watches, each once, and keys of primaries that are not there do no harm. What a
 * source says while no replica leads is not lost on the one that leads next: it looks at every primary then.
 *
 * @param <P> the primaries
 */
public sealed interface EventSource<P extends HasMetadata>
        permits CallSource, MessageSource, PollingSource, TimerSource {

    /** Stands in logs and in {@link io.busbar.reconciler.ReconcileContext#trigger()}; unique in a controller. */
    String name();
}

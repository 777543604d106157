package io.busbar.reconciler.work;

import io.busbar.reconciler.Controller;
import io.busbar.reconciler.source.EventSource;
import io.busbar.reconciler.source.PollingSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The pollers of a controller, by the names of their sources. Any thread. */
final class Pollers<P extends HasMetadata> {

    private final String controller;
    private final Map<String, Poller<P, ?, ?>> byName = new LinkedHashMap<>();

    Pollers(Controller<P> controller, MeterRegistry meters) {
        this.controller = controller.name();
        for (EventSource<? super P> source : controller.sources()) {
            if (source instanceof PollingSource<? super P, ?, ?> polling) {
                byName.put(source.name(), poller(polling, meters));
            }
        }
    }

    private <Q, A> Poller<P, Q, A> poller(PollingSource<? super P, Q, A> source, MeterRegistry meters) {
        return new Poller<>(controller, source, meters);
    }

    Collection<Poller<P, ?, ?>> all() {
        return byName.values();
    }

    /**
     * The last answer to what the primary asks; asks now where there is none yet.
     *
     * @throws IllegalArgumentException when the controller has not declared this source
     * @throws Exception of the source's poll
     */
    @SuppressWarnings("unchecked") // the poller of this very source
    <Q, A> Optional<A> read(PollingSource<? super P, Q, A> source, P primary) throws Exception {
        Poller<P, ?, ?> poller = byName.get(source.name());
        if (poller == null || !poller.source().equals(source)) {
            throw new IllegalArgumentException("controller " + controller + " does not poll '" + source.name()
                    + "': declare it with .source(…), and keep it in a constant");
        }
        return ((Poller<P, Q, A>) poller).read(primary);
    }
}

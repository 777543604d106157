package io.busbar.reconciler.source;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Has a primary reconciled for each {@link io.busbar.common.bus.ExternalChange} on an address of the event bus.
 *
 * <pre>{@code
 * Controller.of(Build.class, reconciler).source(new MessageSource("git.pushes"));
 * vertx.eventBus().publish("git.pushes", new ExternalChange(ObjectKey.of("builds", "web")));
 * }</pre>
 *
 * <p>Where the bus is clustered, publish: a message that is sent reaches one replica, which need not be the one that
 * leads. Messages of other types are counted and logged as unexpected.
 *
 * <p>Immutable.
 *
 * @param address which is also the name; may be that of several controllers
 */
public record MessageSource(String address) implements EventSource<HasMetadata> {

    @Override
    public String name() {
        return address;
    }
}

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
 * <p>All operators that share a Vert.x hear what is published; where the bus is clustered, publish: a message that is
 * sent reaches one replica, which need not be the one that leads. Messages of other types are counted and logged as
 * unexpected.
 *
 * <p>Immutable.
 *
 * @param address which is also the name; may be that of several controllers
 * @param http whether the operator's management port takes such messages, too, from callers whom the cluster allows to
 *     post to {@code /events/ADDRESS}: a POST of {@code /events/ADDRESS/NAMESPACE/NAME}, or
 *     {@code /events/ADDRESS/NAME} for a cluster-scoped primary
 */
public record MessageSource(String address, boolean http) implements EventSource<HasMetadata> {

    /** Of the bus alone. */
    public MessageSource(String address) {
        this(address, false);
    }

    /** The same, to which changes may be posted, too. */
    public MessageSource overHttp() {
        return new MessageSource(address, true);
    }

    @Override
    public String name() {
        return address;
    }
}

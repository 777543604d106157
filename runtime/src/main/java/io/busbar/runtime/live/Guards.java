package io.busbar.runtime.live;

import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/**
 * Each lets pass a request, or answers it with a refusal.
 *
 * <p>Immutable.
 *
 * @param look asked before anything is told
 * @param read asked before the content of an object is told, which {@link LivePage#target} gives
 * @param update asked before something is done to that object
 */
public record Guards(Handler<RoutingContext> look, Handler<RoutingContext> read, Handler<RoutingContext> update) {}

package io.busbar.sandbox.controller;

import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.storage.ObjectStore;
import io.vertx.core.Vertx;

/**
 * What a controller works with.
 *
 * <p>One context: the API server's own.
 *
 * @param store the API server, under the controller's own name
 */
public record ControllerContext(String name, Vertx vertx, ObjectStore store, ClusterClock clock, OwnedIndexes owned) {}

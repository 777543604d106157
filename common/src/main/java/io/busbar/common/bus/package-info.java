/**
 * What crosses the event bus: immutable messages of keys and reasons, never Kubernetes objects.
 *
 * <pre>
 *   watcher ──ResourceChanged──▶ Addresses.changes(type)          published: anyone
 *   watcher ──ResourceListed──▶ Addresses.lists(type)             published: anyone
 *   watcher ──ReconcileRequest─▶ Addresses.requests(controller)   sent: that controller's queue
 *   anyone ──ExternalChange──▶ an address that a controller declares  published
 *   controller ──ReconcileTask─▶ a worker's own address ──ReconcileOutcome──▶ reply
 * </pre>
 *
 * Several operators in one Vert.x have {@link io.busbar.common.bus.Addresses} of their own, each; an address of an
 * {@code ExternalChange} is heard by all of them that declare it.
 *
 * <p>Inside a JVM a message passes by reference; between JVMs in the wire form of its {@link BusCodec}.
 */
@NullMarked
package io.busbar.common.bus;

import org.jspecify.annotations.NullMarked;

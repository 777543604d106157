/**
 * Watches the API server: what it sees is stored, told to the bus, and there to be read.
 *
 * <pre>
 *   Watches.acquire(WatchRequest) ──▶ SharedWatch (one for equal specs) ──deploys──▶ WatcherVerticle
 *                                                                                       │ a Reflector per namespace
 *   API server ══list, watch══▶ reflect.Reflector ──▶ StoreSink ──▶ store.Store ──▶ ChangePublisher ──▶ bus
 *                                                                      │              FiringTrigger ──▶ bus
 *                                          any thread ◀── Lister ◀─────┘
 * </pre>
 */
@NullMarked
package io.busbar.watcher;

import org.jspecify.annotations.NullMarked;

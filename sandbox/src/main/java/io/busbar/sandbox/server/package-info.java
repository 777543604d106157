/**
 * What runs beside the HTTP server, on its context: the parts of a cluster that an API server needs to be of use.
 *
 * <pre>
 *   MemoryStore ──▶ ChangeFeed ──▶ InProcessStore ◀──▶ Namespaces, Establisher, kubelet, garbage collector, controllers
 *                                        └── writes ──▶ verbs
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.server;

import org.jspecify.annotations.NullMarked;

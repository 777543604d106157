/**
 * The cache: written by the watch, read by everyone.
 *
 * <pre>
 *   RawObject ──prepare, any thread──▶ PreparedObject ──put, the watch's context──▶ Store ──▶ StoreChange
 *                                                                                    │
 *                              any thread ◀── Lister (decodes; DecodedObjects) ◀─────┘
 * </pre>
 */
@NullMarked
package io.busbar.watcher.store;

import org.jspecify.annotations.NullMarked;

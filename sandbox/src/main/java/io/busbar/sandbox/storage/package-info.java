/**
 * Objects in memory: one revision for all kinds, and a bounded history that watches read.
 *
 * <pre>
 *   verbs ──create, update, delete──▶ Revisions ▶ Shelf (one of each kind) ──StoreEvent──▶ EventLog ──▶ watches
 *                                                   └── list, get, at a past revision
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.storage;

import org.jspecify.annotations.NullMarked;

package io.busbar.sandbox.storage;

import java.util.List;

/**
 * What a store held before.
 *
 * <p>Immutable, and so must its nodes be treated.
 *
 * @param revision up to which the history is not known
 * @param objects all that was there at that revision
 * @param changes all since then, in order; they don't tell the object's former state
 * @param compacted the revision of the latest compaction among them, up to which nothing can be begun from; 0 for none
 */
public record Past(long revision, List<StoreEvent> objects, List<StoreEvent> changes, long compacted) {}

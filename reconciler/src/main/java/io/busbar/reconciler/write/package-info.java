/**
 * What a reconcile writes, and how its reads see that at once.
 *
 * <pre>
 *   desired ──▶ Applier ──(Coverage: nothing to do?)──▶ ApiRequests ──▶ API server
 *   new, unwanted ──▶ ObjectWriter ────────────────────▶│  │
 *   status, finalizer ──▶ PrimaryWriter ──(MergePatch)───────▲  │
 *   read ◀── OverlaidLister ◀── OwnWrites ◀──────────────────┘──┘ the answer
 *                 └──── Lister (the watch's store)
 * </pre>
 */
@NullMarked
package io.busbar.reconciler.write;

import org.jspecify.annotations.NullMarked;

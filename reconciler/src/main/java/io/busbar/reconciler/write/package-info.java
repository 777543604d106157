/**
 * What a reconcile writes, and how its reads see that at once.
 *
 * <pre>
 *   desired ──▶ Applier ──(AppliedObjects, Coverage: nothing to do?)──▶ ApplyRequests ──▶ ApiRequests ──▶ API server
 *                  │ ▲ Claim: ours?       ▲ Shape                                                    │
 *                  │ └ WholeLists         └── Schemas ◀── SchemaDocument ◀── /openapi ◀──────────────┘
 *   new, unwanted ──▶ ObjectWriter ──(GeneratedNames)──▶│  │
 *   status, finalizer ──▶ PrimaryWriter ──(MergePatch)───────▲  │
 *   read ◀── OverlaidLister ◀── OwnWrites ◀──────────────────┘──┘ the answer
 *                 └──── Lister (the watch's store)
 * </pre>
 */
@NullMarked
package io.busbar.reconciler.write;

import org.jspecify.annotations.NullMarked;

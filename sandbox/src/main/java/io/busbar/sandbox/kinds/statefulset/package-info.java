/**
 * Gives Pods names and volumes that stay, in order.
 *
 * <pre>
 *   StatefulSet or its Pods ──▶ StatefulSets ▶ RevisionHistory
 *        ├─ Plan (pure) ──▶ Step: make | remove ──▶ Identity ──▶ claims, then the Pod
 *        └─ StatefulStatus (pure) ──▶ status
 * </pre>
 *
 * Not imitated: a Pod whose name or claims somebody changed is not mended.
 */
@NullMarked
package io.busbar.sandbox.kinds.statefulset;

import org.jspecify.annotations.NullMarked;

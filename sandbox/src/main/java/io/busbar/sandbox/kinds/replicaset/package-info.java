/**
 * Keeps as many Pods as ReplicaSets and ReplicationControllers want.
 *
 * <pre>
 *   ReplicaSet or its Pods ──▶ ReplicaSets ▶ Claims ▶ create | DeletionOrder ▶ delete ──▶ ReplicaSetStatus
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.kinds.replicaset;

import org.jspecify.annotations.NullMarked;

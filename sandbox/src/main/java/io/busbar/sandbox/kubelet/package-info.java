/**
 * Nodes without machines: Pods are placed and "run", with no container behind them.
 *
 * <pre>
 *   Pod without a node ──▶ SimulatedScheduler ▶ Placement ──▶ binding
 *   Pod on a node, or a timer ──▶ SimulatedKubelet ▶ PodLife (ContainerStates, PodConditions, Steering) ──▶ status, or the end of a deletion
 * </pre>
 *
 * {@link io.busbar.sandbox.kubelet.PodLife} is a pure function: the same Pod at the same time gets the same status, so
 * that a status is written once. Annotations of a Pod steer it ({@link io.busbar.sandbox.kubelet.Steering}). Not
 * imitated: images that can't be pulled, probes, volumes, resources, evictions, the time that a start takes, logs and
 * exec; nodes are ready for good and send no heartbeats.
 */
@NullMarked
package io.busbar.sandbox.kubelet;

import org.jspecify.annotations.NullMarked;

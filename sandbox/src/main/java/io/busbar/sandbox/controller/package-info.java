/**
 * What the controllers of kube-controller-manager share; each has a package of its own below.
 *
 * <pre>
 *   every change ──within the write──▶ OwnedIndex (who controls what) ◀── reads ──┐
 *   changes ──▶ ControllerLoop ▶ SyncLoop (once for many changes) ──object──▶ a controller ──▶ ObjectStore: the verbs of any client
 * </pre>
 *
 * A controller looks at what is there and takes the next steps from there; it remembers nothing. What it did is told by
 * Events, those of the controllers of workloads alone ({@link io.busbar.sandbox.controller.EventRecorder}). Not
 * imitated: horizontal autoscaling, and what waits for nodes that fail: nodes never do.
 */
@NullMarked
package io.busbar.sandbox.controller;

import org.jspecify.annotations.NullMarked;

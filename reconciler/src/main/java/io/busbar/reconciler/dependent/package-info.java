/**
 * What reconcilers of dependents need again and again.
 *
 * <pre>
 *   YAML with holes ─▶ Template ─▶ desired objects
 *   desired objects ─▶ Stages (in order, each waits for the one before) ─▶ context.apply
 *   desired objects, and External things ─▶ Dependents (a graph; what is off is taken away) ─▶ context.apply, create, update, delete
 *   applied Deployments ─▶ Rollout ─▶ conditions Available, Progressing, Degraded
 *   something is missing that was there ─▶ Presence (of the primary, at this moment) ─▶ made anew, or left alone
 *   a number of Pods ─▶ SlowStart ─▶ context.create         too many Pods ─▶ DeletionOrder ─▶ context.delete
 * </pre>
 */
@NullMarked
package io.busbar.reconciler.dependent;

import org.jspecify.annotations.NullMarked;

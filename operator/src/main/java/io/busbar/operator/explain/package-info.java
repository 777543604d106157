/**
 * Tells what injection would do to a Pod, and why.
 *
 * <pre>
 *   a file ──▶ PodFile ──▶ PodCreation (the request that would create it) ──┐
 *   a cluster, or files ──▶ KnownObjects (sets, namespaces, revisions) ─────┴▶ InjectionReport ──▶ text
 * </pre>
 */
@NullMarked
package io.busbar.operator.explain;

import org.jspecify.annotations.NullMarked;

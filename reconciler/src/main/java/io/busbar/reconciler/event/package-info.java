/**
 * Kubernetes Events: what happened, told to people.
 *
 * <pre>
 *   recorder ──Occurrence──▶ bounded queue ──▶ Correlator ──▶ create, count, or drop ──▶ API server
 * </pre>
 */
@NullMarked
package io.busbar.reconciler.event;

import org.jspecify.annotations.NullMarked;

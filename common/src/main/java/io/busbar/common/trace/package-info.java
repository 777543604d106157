/**
 * What the parts of a trace need to find one another: the modules do not know each other, so that a span is passed on
 * as the text that W3C Trace Context has for it.
 *
 * <pre>
 *   watch event ──ReconcileRequest.traceparent──▶ queue ──ReconcileTask.traceparent──▶ reconcile ──thread──▶ requests
 *   API server ──traceparent header──▶ review
 * </pre>
 */
@NullMarked
package io.busbar.common.trace;

import org.jspecify.annotations.NullMarked;

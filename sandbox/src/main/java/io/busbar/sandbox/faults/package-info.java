/**
 * What goes wrong with a cluster now and then, on demand.
 *
 * <pre>
 *   test ──Fault──▶ Faults ──▶ FaultPlan ◀──asks── http, for each request: wait, refuse or go on, and how to Answer
 *                                      ◀──asks── webhook, for each call
 *        ──Lag────▶        ──▶ Lags ◀──ask── storage, how far watches may read; http, as of when reads are answered
 *              stop, start, dropWatches, expire ──▶ the running sandbox
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.faults;

import org.jspecify.annotations.NullMarked;

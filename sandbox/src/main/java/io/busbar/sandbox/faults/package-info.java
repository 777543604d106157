/**
 * What goes wrong with a cluster now and then, on demand.
 *
 * <pre>
 *   test ──inject──▶ Faults ──▶ FaultPlan ◀──asks── http, for each request: wait, then refuse or go on
 *              stop, start, dropWatches, expire ──▶ the running sandbox
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.faults;

import org.jspecify.annotations.NullMarked;

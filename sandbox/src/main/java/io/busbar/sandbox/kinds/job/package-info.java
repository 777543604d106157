/**
 * Runs Pods until enough of them have succeeded.
 *
 * <pre>
 *   Job or its Pods ──▶ Jobs ▶ Tally (pure: what is there) ▶ JobVerdict (pure: over, and why)
 *        ├─ create | delete Pods ──▶ JobPods
 *        └─ JobStatus (pure) ──▶ status; long after its end the Job itself goes
 * </pre>
 *
 * Not imitated: finalizers that track Pods, so a Pod is not counted that somebody deletes before it ends; failure and
 * success policies, backoff limits of an index.
 */
@NullMarked
package io.busbar.sandbox.kinds.job;

import org.jspecify.annotations.NullMarked;

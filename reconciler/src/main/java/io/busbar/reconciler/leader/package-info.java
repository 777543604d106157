/**
 * One leader among replicas: the one that holds a Lease, and writes.
 *
 * <pre>
 *   LeaderElection (its own thread) ──attempt──▶ Elector ──get, create, update──▶ Lease
 *                                                   │ renewed: holds until sent + renew deadline
 *                                                   ▼
 *   controllers ──every request──▶ client ──▶ Fence ──▶ API server
 * </pre>
 *
 * The fence falls by itself as time passes: it needs no thread that might be frozen, late or stuck. fabric8's own
 * elector is not used since it compares the clocks of different machines, counts its deadline from the end of a
 * renewal, in time of day, and fences nothing: two of its replicas can lead at once.
 */
@NullMarked
package io.busbar.reconciler.leader;

import org.jspecify.annotations.NullMarked;

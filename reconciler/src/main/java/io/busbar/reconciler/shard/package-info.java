/**
 * Several replicas share the work: each primary belongs to a bucket by its uid, each bucket to one replica.
 *
 * <pre>
 *   ShardMembership (its own thread) ──rounds──▶ ShardMember ──renew, look, write──▶ Leases: one of each member, and the map
 *                                                   │ what the map says, what is to be given away
 *                                                   ▼
 *   reconcile ──enter its bucket──▶ ShardGate ──▶ every request ──▶ Fence ──▶ API server
 * </pre>
 *
 * Nobody decides for the others, and no replica talks to another: a holder gives away, nobody takes from the living.
 * All agree by compare-and-swap on one object, the Lease that a leader would hold. It is the map at the same time, in
 * an annotation, so that one list by a label reads the map and the signs of life at one moment, the permission is that
 * of leader election, and a replica that elects a leader stands by while the work is shared: it finds the Lease held.
 */
@NullMarked
package io.busbar.reconciler.shard;

import org.jspecify.annotations.NullMarked;

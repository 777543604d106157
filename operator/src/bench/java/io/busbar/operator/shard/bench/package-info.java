/**
 * What replicas that share the work do together, beside one alone.
 *
 * <pre>
 *   ShardComparison ─edits PodSets─▶ cluster ◀─ 1 or 3 Replicas, in turn: BusyOperator, each in a CpuShare of its own
 *          └── how long until all of them together have reconciled all sets
 * </pre>
 */
@NullMarked
package io.busbar.operator.shard.bench;

import org.jspecify.annotations.NullMarked;

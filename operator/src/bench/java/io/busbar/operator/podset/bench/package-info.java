/**
 * How fast PodSets are served on a real cluster.
 *
 * <pre>
 *   PodSetComparison ─creates sets─▶ cluster ◀─ OperatorChild (the jar)  or  BareLoop (no operator at all), in turn
 *          └── RequestCounts: what the API server counted meanwhile
 * </pre>
 */
@NullMarked
package io.busbar.operator.podset.bench;

import org.jspecify.annotations.NullMarked;

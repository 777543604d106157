/**
 * How many members there are.
 *
 * <pre>
 *   spec.size, or Autoscaler ◀─ Load of each member
 *        └─▶ Scaling ─▶ the StatefulSet's replicas; the primary hands over before its member goes
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.scale;

import org.jspecify.annotations.NullMarked;

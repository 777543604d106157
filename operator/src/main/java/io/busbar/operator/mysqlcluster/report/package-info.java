/**
 * What is told of a cluster: its status, from what was seen and decided.
 *
 * <pre>
 *   Members ─▶ Health ─▶ notes of the Plan
 *   Observation, Plan ─▶ StatusReport ─┬─ MemberReport       each member
 *                                      └─ ConditionsReport   Available, Degraded …
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.report;

import org.jspecify.annotations.NullMarked;

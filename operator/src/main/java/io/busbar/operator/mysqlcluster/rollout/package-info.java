/**
 * How members come to run what is asked for now: one after the other, the primary last, and never while another is not
 * well.
 *
 * <pre>
 *   StatefulSet's revisions, Pods' labels ─▶ Revisions ─▶ Rollout ─▶ a Pod is deleted, or the primary hands over first
 *                                                            └─ Gate: partition, canary; Order
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.rollout;

import org.jspecify.annotations.NullMarked;

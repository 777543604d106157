/**
 * MySQLCluster: database servers of which one is written to and the others follow it; they survive the loss of the primary.
 *
 * <pre>
 *   v1alpha1                the kinds
 *   MySQLClusterReconciler  the steps, every 2 seconds and when something changes:
 *     objects               what a cluster consists of, applied
 *     member ◀── sql        its servers, asked all at once
 *     topology              who is written to, who follows whom: bootstrap, failover, switchover, joining
 *     scale, rollout        changes of their number, and of what they run
 *     backup                copies of its data, when they are due, and the way back
 *     report                what is told: the status
 *   MySQLClusterValidator, version   the webhooks
 * </pre>
 *
 * {@link io.busbar.operator.mysqlcluster.MySQLClusterBundle} puts all of it together.
 */
@NullMarked
package io.busbar.operator.mysqlcluster;

import org.jspecify.annotations.NullMarked;

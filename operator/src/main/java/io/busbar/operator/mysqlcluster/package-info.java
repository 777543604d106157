/**
 * MySQLCluster: database servers of which one is written to and the others follow it; they survive the loss of the
 * primary.
 *
 * <pre>
 *   v1alpha1                the kinds
 *   MySQLClusterReconciler  a turn, every 2 seconds and when something changes:
 *     objects               what a cluster consists of, applied
 *     observe ◀── sql       1. looks at its servers, all at once, and at its objects: an Observation
 *     decide                2. who is written to, and who follows whom: a Plan of Actions, by looking alone
 *       scale, rollout        how many members there are, and what they run
 *       backup, access        copies of its data, and the way back; whom servers let in, and by which passwords
 *       tls                   by which certificates servers are known, and who has to ask for TLS
 *       migrate               a server outside whose data it takes over
 *     act                   3. does that, each action once more sure of its server, and begins again at 1 until nothing is left
 *     report                4. what is told: the status
 *   MySQLClusterValidator, version   the webhooks
 *   s3                      the command that Jobs of backups run in the operator's own image
 *   contents                kinds of their own: databases, accounts and rights in the primary
 * </pre>
 *
 * {@link io.busbar.operator.mysqlcluster.MySQLClusterBundle} puts all of it together.
 */
@NullMarked
package io.busbar.operator.mysqlcluster;

import org.jspecify.annotations.NullMarked;

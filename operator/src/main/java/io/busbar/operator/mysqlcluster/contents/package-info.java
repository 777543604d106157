/**
 * What is in the servers of a cluster, as kinds: MySQLDatabase, MySQLUser, MySQLGrant.
 *
 * <pre>
 *   *Validator ◀── Names     the webhooks: names that servers take and nobody else has
 *   ContentControllers       each kind is looked at when it, its cluster, its Secret or its namesake changes, and each minute
 *     ContentReconciler      opens what is in the primary, and tells what came of it: the condition Ready
 *       Primaries ──▶ sql      the way there, unless the cluster has none that takes writes
 *       Content                what a kind does there: DatabaseContent, UserContent (UserTurn, PasswordChange), GrantContent
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.contents;

import org.jspecify.annotations.NullMarked;

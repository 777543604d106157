/**
 * The passwords of a cluster.
 *
 * <pre>
 *   Secret &lt;name&gt;-auth (made up once), or the user's own for root ─▶ Passwords ─▶ Accounts
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.access;

import org.jspecify.annotations.NullMarked;

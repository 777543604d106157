/**
 * The passwords of a cluster.
 *
 * <pre>
 *   Secret &lt;name&gt;-auth (made up once), or the user's own for root and for programs ─▶ Passwords ─▶ Accounts
 *   Accounts ─▶ ApplicationAccount: what programs log in with, on each server that serves
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.access;

import org.jspecify.annotations.NullMarked;

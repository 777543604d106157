/**
 * What a cluster needs that takes over from a server outside.
 *
 * <pre>
 *   ExternalPrimaries  the way there, by its Secrets, and what it says of itself
 *   MigratedSeeding    a Job copies its databases into the first member
 *   decide.Following   the primary follows it, until the cluster takes over
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.migrate;

import org.jspecify.annotations.NullMarked;

/**
 * Which version of the servers is meant, also by those who forgot the quotes, and which may follow which.
 *
 * <pre>
 *   spec.version ─▶ ServerVersion ─▶ MySQLClusterDefaults (webhook) ─▶ stored as text
 *   tag of the image, status.version ─▶ Release ─▶ whether the data may go on with it
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.version;

import org.jspecify.annotations.NullMarked;

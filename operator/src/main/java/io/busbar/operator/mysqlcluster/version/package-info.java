/**
 * Which version of the servers is meant, also by those who forgot the quotes.
 *
 * <pre>
 *   spec.version ─▶ ServerVersion ─▶ VersionRule (webhook) ─▶ stored as text
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.version;

import org.jspecify.annotations.NullMarked;

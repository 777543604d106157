/**
 * Database servers, spoken to over SQL alone, in the words of MariaDB or of MySQL.
 *
 * <pre>
 *   DatabaseServers ─▶ DatabaseServer ─┬─ observe ─▶ ServerState (Position, Replication)
 *                                      └─ follow, promote, freeze … ─▶ the statements of its Dialect
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.sql;

import org.jspecify.annotations.NullMarked;

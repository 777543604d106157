/**
 * Database servers, spoken to over SQL alone, in the words of MariaDB or of MySQL.
 *
 * <pre>
 *   DatabaseServers ─▶ DatabaseServer ─┬─ observe ─▶ ServerState (Position, Replication)
 *                                      └─ follow, promote, freeze … ─▶ the statements of its Dialect
 *                                                                        │
 *   server ◀── NoFiles ◀── Vert.x's client, on an EventLoop ◀── Statements of one connection
 * </pre>
 *
 * MariaDB's words are tried on real servers of 10.11, MySQL's on real servers of 9.7; what MySQL said before 8.4 is
 * tried on exchanges as its manual shows them.
 */
@NullMarked
package io.busbar.operator.mysqlcluster.sql;

import org.jspecify.annotations.NullMarked;

package io.busbar.operator.mysqlcluster.sql;

/**
 * What programs log in with, and what they may change.
 *
 * <p>Immutable. Its text leaves the password out.
 *
 * @param account without any privilege that would let it write to a read-only server
 * @param database that it may do anything in
 */
public record Application(Account account, String database) {}

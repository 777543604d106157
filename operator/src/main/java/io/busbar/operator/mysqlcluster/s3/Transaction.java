package io.busbar.operator.mysqlcluster.s3;

import java.time.Instant;

/**
 * One of a binary log.
 *
 * <p>Immutable.
 *
 * @param gtid as servers write it, such as {@code 0-101-57}
 * @param committed by the server that wrote it first, and its clock: MySQL tells when that was, MariaDB when the last of
 *     its statements began
 */
record Transaction(String gtid, Instant committed) {}

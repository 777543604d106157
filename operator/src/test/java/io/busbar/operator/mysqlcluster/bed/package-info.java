/**
 * Real database servers for tests.
 *
 * <pre>
 *   MariaDbData (made once) ─▶ a copy for each server ─▶ MariaDbServer: start, kill, freeze, stop
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.bed;

import org.jspecify.annotations.NullMarked;

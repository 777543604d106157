package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The last complete backup that is there still: one of all databases, or at least of those that the schedule asks for,
 * and none that did not give back what it holds.
 *
 * <p>Immutable.
 *
 * @param name name of the MySQLBackup
 * @param completedAt when it was complete, in RFC 3339
 * @param gtid what it holds, as a GTID set
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record LastBackup(
        String name, @Nullable String completedAt, @Nullable String gtid) {}

package io.busbar.operator.mysqlcluster.sql;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Those that are on each server of a cluster.
 *
 * <p>Immutable.
 *
 * @param root as the image makes it; null where a cluster that runs has lost its password: only new servers need it
 * @param operator for the operator: with all privileges, so that read-only servers obey it
 * @param replication for replicas at their source: may do nothing else
 * @param application for programs; empty while nobody has said what they log in with
 */
public record Accounts(
        @Nullable Account root, Account operator, Account replication, Optional<Application> application) {}

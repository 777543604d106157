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
 * @param exporter for the exporter beside each server; empty where there is none, and so no such account
 * @param ownsRoot whether root's password was made up, and so is looked after as those of the others are
 */
public record Accounts(
        @Nullable Account root,
        Account operator,
        Account replication,
        Optional<Application> application,
        Optional<Account> exporter,
        boolean ownsRoot) {

    /** By whose name the account of the exporter is known where there is to be none any more. */
    public static final String EXPORTER = "busbar_exporter";

    /** With a root that is the user's own, and no exporter. */
    public Accounts(@Nullable Account root, Account operator, Account replication, Optional<Application> application) {
        this(root, operator, replication, application, Optional.empty(), false);
    }
}

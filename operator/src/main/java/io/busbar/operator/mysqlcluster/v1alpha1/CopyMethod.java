package io.busbar.operator.mysqlcluster.v1alpha1;

/** How a member is given a copy of another's data. Constants are written as in YAML. Immutable. */
public enum CopyMethod {
    /**
     * By the other's data files where both servers can do that, as MySQL's with its clone plugin, and MariaDB's with
     * mariadb-backup; by a dump else.
     */
    Auto,
    /** By a dump that a Job takes and loads. */
    Dump
}

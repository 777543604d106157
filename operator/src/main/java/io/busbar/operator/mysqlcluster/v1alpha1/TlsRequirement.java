package io.busbar.operator.mysqlcluster.v1alpha1;

/** What an account asks of the connections that log in with it. Immutable. */
public enum TlsRequirement {
    /** Nothing. */
    None,
    /** That they are encrypted. */
    SSL
}

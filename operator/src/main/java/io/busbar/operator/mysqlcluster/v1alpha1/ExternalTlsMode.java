package io.busbar.operator.mysqlcluster.v1alpha1;

/** How much of a server outside is believed. */
public enum ExternalTlsMode {
    Disabled,
    Required,
    VerifyCA,
    VerifyIdentity
}

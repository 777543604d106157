package io.busbar.operator.mysqlcluster.sql;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * By what a server is verified.
 *
 * <p>Immutable.
 *
 * @param name that its certificate must hold for, whatever it is reached by
 * @param authorities of which one must have signed it
 * @param check how much of that is looked at
 */
public record Trust(String name, List<X509Certificate> authorities, Check check) {

    /** What is looked at of a certificate. */
    public enum Check {
        NAME_AND_AUTHORITY,
        AUTHORITY,
        NOTHING
    }

    public Trust {
        authorities = List.copyOf(authorities);
    }

    /** All of it is looked at. */
    public Trust(String name, List<X509Certificate> authorities) {
        this(name, authorities, Check.NAME_AND_AUTHORITY);
    }
}

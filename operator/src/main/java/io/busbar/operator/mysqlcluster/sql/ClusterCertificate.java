package io.busbar.operator.mysqlcluster.sql;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What the servers of a cluster should show, and what is believed meanwhile.
 *
 * <p>Immutable.
 *
 * @param authorities of all certificates that a server may still show
 * @param serving the newest
 */
public record ClusterCertificate(List<X509Certificate> authorities, X509Certificate serving) {

    public ClusterCertificate {
        authorities = List.copyOf(authorities);
    }
}

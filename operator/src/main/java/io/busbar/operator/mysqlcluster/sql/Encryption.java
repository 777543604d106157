package io.busbar.operator.mysqlcluster.sql;

import java.time.Instant;

/**
 * How a server encrypts, at one moment.
 *
 * <p>Immutable.
 *
 * @param expiry of the certificate that it shows
 * @param isCurrent whether that is the newest
 * @param isRequired whether nobody gets in without TLS: neither over the network at all, nor by the accounts that the
 *     operator makes
 * @param isAsked whether anybody is asked for TLS: by the server, or by one of these accounts
 */
public record Encryption(Instant expiry, boolean isCurrent, boolean isRequired, boolean isAsked) {

    /** Where servers have their certificates. */
    public static final String FOLDER = "/etc/mysql/tls";

    /** The CAs, below {@link #FOLDER} and in Secrets. */
    public static final String AUTHORITIES = "ca.crt";
}

package io.busbar.operator.mysqlcluster.sql;

/**
 * A server outside that a member follows, and who logs in there. Not all that it writes is taken over: accounts and
 * rights are the cluster's own.
 *
 * <p>Immutable.
 *
 * @param authorities the file, at the member, with the CAs to verify it by; empty where it is not verified
 * @param byName whether its certificate must hold for its name, too
 */
public record Upstream(Endpoint endpoint, Account account, String authorities, boolean byName) {

    /** Tables that nothing comes into from outside, as servers write patterns. */
    static final String IGNORED = "mysql.%";

    /** Of a row that tells how a server follows. */
    static final String IGNORES = "Replicate_Wild_Ignore_Table";

    SourceEncryption encryption(String prefix) {
        return new SourceEncryption(prefix, endpoint.encrypted(), authorities, byName);
    }

    /** Whether a row tells that something is ignored, which is so only of who follows a server outside. */
    static boolean isFiltered(Row following) {
        return following.has(IGNORES) && !following.text(IGNORES).isEmpty();
    }
}

package io.busbar.operator.mysqlcluster.sql;

/**
 * How a replica connects to its source: as the source asks for it, and verified as far as the replica can. One that has
 * no certificates of the operator's knows no CA; and by an address that no certificate holds for, it is the CA alone
 * that is verified.
 *
 * <p>Immutable.
 *
 * @param prefix of both products' words for it
 * @param authorities the file with the CAs; empty for none
 */
record SourceEncryption(String prefix, boolean encrypted, String authorities, boolean byName) {

    static final String OWN = "SELECT @@GLOBAL.ssl_ca AS authorities";

    private static final String FILE = Encryption.FOLDER + "/" + Encryption.AUTHORITIES;

    /** @param statements of the replica */
    static SourceEncryption of(Statements statements, String prefix, Endpoint source)
            throws SqlFailure, InterruptedException {
        boolean verifies = source.encrypted()
                && statements.row(OWN).value("authorities").filter(FILE::equals).isPresent();
        return new SourceEncryption(prefix, source.encrypted(), verifies ? FILE : "", verifies && source.isNamed());
    }

    /** At the end of a statement that says whom to follow; what a server was told before, it would go on with. */
    String words() {
        String tls = ", " + prefix + "_SSL = " + (encrypted ? 1 : 0);
        return encrypted
                ? tls + ", " + prefix + "_SSL_CA = " + Quoted.literal(authorities) + ", " + prefix
                        + "_SSL_VERIFY_SERVER_CERT = " + (byName ? 1 : 0)
                : tls;
    }

    /** @param column what the names of the columns begin with */
    boolean isThatOf(Row current, String column) {
        return encrypted
                ? current.isOn(column + "_SSL_Allowed")
                        && current.text(column + "_SSL_CA_File").equals(authorities)
                        && current.isOn(column + "_SSL_Verify_Server_Cert") == byName
                : !current.isOn(column + "_SSL_Allowed");
    }
}

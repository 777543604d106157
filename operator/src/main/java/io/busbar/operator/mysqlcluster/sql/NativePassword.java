package io.busbar.operator.mysqlcluster.sql;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What MariaDB keeps of a password ({@code mysql_native_password}), which nobody can log in with. Pure. */
final class NativePassword {

    private NativePassword() {}

    static String hash(String password) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            byte[] once = sha1.digest(password.getBytes(StandardCharsets.UTF_8));
            return "*" + HexFormat.of().withUpperCase().formatHex(sha1.digest(once));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }
}

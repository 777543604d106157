package io.busbar.operator.mysqlcluster.sql;

/**
 * Who logs in.
 *
 * <p>Immutable. Its text leaves the password out.
 */
public record Account(String user, String password) {

    @Override
    public String toString() {
        return user;
    }
}

package io.busbar.operator.mysqlcluster.sql;

import org.jspecify.annotations.Nullable;

/**
 * Who logs in.
 *
 * <p>Immutable. Its text leaves passwords out.
 *
 * @param password to log in with
 * @param other that lets in as well, while passwords are changed; null for none
 */
public record Account(
        String user, String password, @Nullable String other) {

    public Account(String user, String password) {
        this(user, password, null);
    }

    @Override
    public String toString() {
        return user;
    }
}

package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import org.jspecify.annotations.Nullable;

/**
 * What programs log in with, and where they may write.
 *
 * <p>Immutable; the database is never null.
 *
 * @param applicationSecretRef the Secret with the account of programs as {@code username} and {@code password}; if
 *     left out, one is made up
 * @param database the database that the account may do anything in, and nowhere else; made if it is not there
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record AuthSpec(
        @Nullable SecretRef applicationSecretRef,
        @Default("app") String database) {

    static final AuthSpec STANDARD = new AuthSpec(null, "app");

    public AuthSpec {
        database = database == null || database.isEmpty() ? "app" : database;
    }
}

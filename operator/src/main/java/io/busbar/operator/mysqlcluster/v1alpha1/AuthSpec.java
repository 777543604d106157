package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import org.jspecify.annotations.Nullable;

/**
 * What programs log in with, and where they may write.
 *
 * <p>Immutable; neither the database nor the rotation is ever null.
 *
 * @param applicationSecretRef the Secret with the account of programs as {@code username} and {@code password}; if
 *     left out, one is made up
 * @param database the database that the account may do anything in, and nowhere else; made if it is not there
 * @param rotation how passwords that were made up are changed
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record AuthSpec(
        @Nullable SecretRef applicationSecretRef,
        @Default("app") String database,
        RotationSpec rotation) {

    static final AuthSpec STANDARD = new AuthSpec(null, "app", RotationSpec.STANDARD);

    public AuthSpec {
        database = database == null || database.isEmpty() ? "app" : database;
        rotation = rotation == null ? RotationSpec.STANDARD : rotation;
    }
}

package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * By what it is seen whether an account has the password that it should. The hashes are keyed: of no use to who
 * does not know a password of the operator's.
 *
 * <p>Immutable.
 *
 * @param secretHash of the password in the Secret that was set last
 * @param storedHash of what the servers have kept of it since
 * @param changingToHash of the password that is being set; the old one is to be retained
 * @param oldUntil until when the password before lets in, too, in RFC 3339; nothing if it does not
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PasswordStatus(
        @Nullable String secretHash,
        @Nullable String storedHash,
        @Nullable String changingToHash,
        @Nullable String oldUntil) {

    /** Before it was set. */
    public static final PasswordStatus NONE = new PasswordStatus(null, null, null, null);
}

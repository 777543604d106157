package io.busbar.operator.mysqlcluster.contents;

import io.busbar.operator.mysqlcluster.v1alpha1.PasswordStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done about the password of an account, by fingerprints alone. Pure; any thread.
 *
 * @param step what is to be done about the new one
 * @param oldUntil until when the one before lets in, too; null if it does not. Where that has passed it is to be
 *     discarded
 */
record PasswordChange(Step step, @Nullable Instant oldUntil) {

    /** About the password in the Secret. */
    enum Step {
        /** The account has it. */
        NONE,
        /** The account is to have it, and no other. */
        REPLACE,
        /** The account is to have it, and the one that it has now for a while. */
        RETAIN
    }

    /**
     * @param known what was told last
     * @param secret fingerprint of the password that the account should have
     * @param stored fingerprint of what the server keeps
     * @param retainsOld whether it keeps an old one, too
     * @param retention for how long an old one is to be kept; zero where it cannot, or must not
     */
    static PasswordChange decide(
            PasswordStatus known, String secret, String stored, boolean retainsOld, Duration retention, Instant now) {
        Instant until = oldUntil(known).orElse(null);
        Instant later = now.plus(retention).truncatedTo(ChronoUnit.SECONDS);
        boolean canRetain = !retention.isZero();
        boolean isAsLeft = stored.equals(known.storedHash());
        if (secret.equals(known.secretHash())) {
            if (isAsLeft) {
                return new PasswordChange(Step.NONE, retainsOld ? orElse(until, later) : null);
            }
            // A failover may have lost the change, while programs still log in with the old one.
            boolean isPromised = canRetain && !retainsOld && until != null && now.isBefore(until);
            return new PasswordChange(
                    isPromised ? Step.RETAIN : Step.REPLACE, retainsOld || isPromised ? orElse(until, later) : null);
        }
        if (secret.equals(known.changingToHash()) && retainsOld && !isAsLeft) {
            // It was done, and nobody lived to tell.
            return new PasswordChange(Step.NONE, orElse(until, later));
        }
        if (isAsLeft && canRetain) {
            return new PasswordChange(Step.RETAIN, later);
        }
        return new PasswordChange(Step.REPLACE, retainsOld ? orElse(until, later) : null);
    }

    private static Instant orElse(@Nullable Instant until, Instant later) {
        return until == null ? later : until;
    }

    private static Optional<Instant> oldUntil(PasswordStatus known) {
        try {
            return Optional.ofNullable(known.oldUntil()).map(Instant::parse);
        } catch (DateTimeParseException unreadable) {
            return Optional.empty();
        }
    }
}

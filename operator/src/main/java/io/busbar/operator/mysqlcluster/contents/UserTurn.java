package io.busbar.operator.mysqlcluster.contents;

import io.busbar.operator.mysqlcluster.contents.Content.Applied;
import io.busbar.operator.mysqlcluster.contents.PasswordChange.Step;
import io.busbar.operator.mysqlcluster.sql.AccountName;
import io.busbar.operator.mysqlcluster.sql.Contents;
import io.busbar.operator.mysqlcluster.sql.Contents.User;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLUser;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLUserStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.PasswordStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.TlsRequirement;
import io.busbar.reconciler.ReconcileContext;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes an account what it should be, once. For the thread of one reconcile, which waits.
 *
 * @param password that it should have
 */
record UserTurn(
        MySQLUser user,
        String password,
        Fingerprint fingerprint,
        Contents contents,
        ReconcileContext<MySQLUser> context,
        Clock clock) {

    /** Leaves the password out. */
    @Override
    public String toString() {
        return name().toString();
    }

    private AccountName name() {
        return Namesakes.account(user);
    }

    Applied<MySQLUser> take() throws SqlFailure, InterruptedException {
        int most = user.getSpec().maxUserConnections();
        Optional<User> there = contents.user(name());
        if (there.isEmpty()) {
            contents.createUser(name(), password, most);
            if (isToEncrypt()) {
                contents.requireEncryption(name(), true);
            }
            tell("UserCreated", "Create", name().toString());
            return applied(null);
        }
        Instant oldUntil = changePassword(there.get());
        if (there.get().maxConnections() != most) {
            contents.limitConnections(name(), most);
            tell("UserAltered", "Alter", name() + " may have " + most + " connections at once");
        }
        if (!there.get().encryption().equals(isToEncrypt() ? User.TLS : "")) {
            contents.requireEncryption(name(), isToEncrypt());
            tell("UserAltered", "Alter", name() + (isToEncrypt() ? " needs TLS" : " may come without TLS"));
        }
        return applied(oldUntil);
    }

    private boolean isToEncrypt() {
        return user.getSpec().require() == TlsRequirement.SSL;
    }

    /** @return until when the one before lets in, too; null if it does not */
    private @Nullable Instant changePassword(User there) throws SqlFailure, InterruptedException {
        PasswordChange change = PasswordChange.decide(
                user.told().password(),
                secretHash(),
                storedHash(there),
                there.retainsOld(),
                retention(),
                clock.instant());
        if (change.step() == Step.RETAIN) {
            announce(change);
            contents.changePassword(name(), password, true);
            tell("PasswordChanged", "Alter", name() + ": the old password is good until " + change.oldUntil());
        } else if (change.step() == Step.REPLACE) {
            contents.changePassword(name(), password, false);
            tell("PasswordChanged", "Alter", name() + ": what it was is not good any more");
        }
        Instant until = change.oldUntil();
        if (until == null || clock.instant().isBefore(until)) {
            return until;
        }
        contents.discardOldPassword(name());
        tell("OldPasswordDiscarded", "Alter", name().toString());
        return null;
    }

    /** With MariaDB, accounts of users have one password at a time. */
    private Duration retention() {
        return contents.flavor() == Flavor.MYSQL
                ? Duration.ofSeconds(user.getSpec().passwordRetentionSeconds())
                : Duration.ZERO;
    }

    /** Before it is done: whoever does it twice loses the old password. */
    private void announce(PasswordChange change) {
        PasswordStatus known = user.told().password();
        context.status(user.with(user.told()
                .with(new PasswordStatus(
                        known.secretHash(), known.storedHash(), secretHash(), String.valueOf(change.oldUntil())))));
    }

    private Applied<MySQLUser> applied(@Nullable Instant oldUntil) throws SqlFailure, InterruptedException {
        PasswordStatus known = new PasswordStatus(
                secretHash(),
                contents.user(name()).map(this::storedHash).orElse(null),
                null,
                oldUntil == null ? null : oldUntil.toString());
        return new Applied<>(
                user.with(new MySQLUserStatus(
                        name().toString(), known, user.told().conditions())),
                message(oldUntil),
                Optional.ofNullable(oldUntil).map(this::wait));
    }

    private String message(@Nullable Instant oldUntil) {
        if (contents.flavor() == Flavor.MARIADB) {
            return "the account is there; with MariaDB it has one password at a time, so that a change ends the old one";
        }
        return oldUntil == null
                ? "the account is there"
                : "the account is there; the old password is good until " + oldUntil;
    }

    private Duration wait(Instant until) {
        Duration left = Duration.between(clock.instant(), until);
        return left.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : left;
    }

    private String secretHash() {
        return fingerprint.of("secret", password);
    }

    private String storedHash(User there) {
        return fingerprint.of("stored", there.passwordDigest());
    }

    private void tell(String reason, String action, String note) {
        context.events().normal(user, reason, action, note);
    }
}

package io.busbar.operator.mysqlcluster.observe;

import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.Accounts;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whom the servers of a cluster let in.
 *
 * <p>Immutable.
 *
 * @param former the operator's account as it was before, newest first: on volumes that no server has used since
 */
public record Access(Accounts accounts, List<Account> former, RotationProgress rotation) {

    public Access {
        former = List.copyOf(former);
    }

    /** Whom a server may let in that does not let the operator in: root, as the image made it, and who was there before. */
    List<Account> introducing() {
        return Stream.concat(
                        Stream.concat(
                                Stream.ofNullable(accounts.root()).flatMap(Access::both),
                                both(accounts.operator()).skip(1)),
                        former.stream())
                .toList();
    }

    private static Stream<Account> both(Account account) {
        return account.other() == null
                ? Stream.of(account)
                : Stream.of(account, new Account(account.user(), account.other()));
    }
}

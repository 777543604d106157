package io.busbar.operator.mysqlcluster.sql;

import java.util.List;

/** Makes accounts, and corrects those that are there. */
final class AccountStatements {

    private static final String OPERATOR = "GRANT ALL PRIVILEGES ON *.* TO ";
    private static final String REPLICATION = "GRANT REPLICATION SLAVE ON *.* TO ";

    private final Statements statements;
    private final String identified;

    /**
     * @param identified the words before a password
     */
    AccountStatements(Statements statements, String identified) {
        this.statements = statements;
        this.identified = identified;
    }

    void make(Accounts accounts) throws SqlFailure, InterruptedException {
        make(accounts.operator());
        statements.query(OPERATOR + Quoted.account(accounts.operator().user()) + " WITH GRANT OPTION");
        make(accounts.replication());
        String replication = Quoted.account(accounts.replication().user());
        if (!mayOnlyReplicate(replication)) {
            statements.query("REVOKE ALL PRIVILEGES, GRANT OPTION FROM " + replication);
            statements.query(REPLICATION + replication);
        }
        if (accounts.application().isPresent()) {
            make(accounts.application().get());
        }
    }

    /** Rights in further databases that somebody has given it stay, unless it may also do something everywhere. */
    private void make(Application application) throws SqlFailure, InterruptedException {
        make(application.account());
        String who = Quoted.account(application.account().user());
        if (grants(who).stream().anyMatch(AccountStatements::isEverywhere)) {
            statements.query("REVOKE ALL PRIVILEGES, GRANT OPTION FROM " + who);
        }
        statements.query(all(application) + "TO " + who);
    }

    /**
     * Whether an account is there that may do anything in its database, and nothing everywhere; its password is not
     * looked at.
     */
    boolean isMade(Application application) throws SqlFailure, InterruptedException {
        try {
            List<String> grants = grants(Quoted.account(application.account().user()));
            return grants.stream().noneMatch(AccountStatements::isEverywhere)
                    && grants.stream().anyMatch(grant -> grant.startsWith(all(application)));
        } catch (SqlFailure failure) {
            if (failure.kind() == SqlFailure.Kind.REFUSED) {
                return false;
            }
            throw failure;
        }
    }

    /** What a server says of an account in the same words. */
    private static String all(Application application) {
        return "GRANT ALL PRIVILEGES ON " + Quoted.name(Quoted.pattern(application.database())) + ".* ";
    }

    private static boolean isEverywhere(String grant) {
        return grant.contains(" ON *.* ")
                && (!grant.startsWith("GRANT USAGE ON *.* ") || grant.endsWith("WITH GRANT OPTION"));
    }

    private List<String> grants(String account) throws SqlFailure, InterruptedException {
        return statements.query("SHOW GRANTS FOR " + account).stream()
                .map(row -> row.only().orElse(""))
                .toList();
    }

    private void make(Account account) throws SqlFailure, InterruptedException {
        String who = Quoted.account(account.user()) + " " + identified + " " + Quoted.literal(account.password());
        statements.secret("CREATE USER " + account, "CREATE USER IF NOT EXISTS " + who);
        statements.secret("ALTER USER " + account, "ALTER USER " + who);
    }

    /** Else its rights would be gone for a moment, and replicas at this server would stop for good. */
    private boolean mayOnlyReplicate(String account) throws SqlFailure, InterruptedException {
        List<String> grants = grants(account);
        return grants.size() == 1 && grants.get(0).startsWith(REPLICATION);
    }
}

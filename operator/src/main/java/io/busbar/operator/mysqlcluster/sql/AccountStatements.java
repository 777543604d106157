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
    }

    private void make(Account account) throws SqlFailure, InterruptedException {
        String who = Quoted.account(account.user()) + " " + identified + " " + Quoted.literal(account.password());
        statements.secret("CREATE USER " + account, "CREATE USER IF NOT EXISTS " + who);
        statements.secret("ALTER USER " + account, "ALTER USER " + who);
    }

    /** Else its rights would be gone for a moment, and replicas at this server would stop for good. */
    private boolean mayOnlyReplicate(String account) throws SqlFailure, InterruptedException {
        List<Row> grants = statements.query("SHOW GRANTS FOR " + account);
        return grants.size() == 1 && grants.get(0).only().orElse("").startsWith(REPLICATION);
    }
}

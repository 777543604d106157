package io.busbar.operator.mysqlcluster.sql;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes accounts, and corrects those that are there: each has its passwords, and no others. */
final class AccountStatements {

    private static final String TLS = Contents.User.TLS;

    private static final String OPERATOR = "GRANT ALL PRIVILEGES ON *.* TO ";
    private static final String REPLICATION = "GRANT REPLICATION SLAVE ON *.* TO ";

    /** That a donor of a physical copy gives it, besides. */
    static final String COPIES = "GRANT BACKUP_ADMIN ON *.* TO ";

    /** That a source gives it which has no connection left for it. */
    static final String ADMITTED = "GRANT SERVICE_CONNECTION_ADMIN ON *.* TO ";

    private static final Pattern BESIDES =
            Pattern.compile("GRANT (BACKUP_ADMIN|SERVICE_CONNECTION_ADMIN|,)+ ON \\*\\.\\* TO .*");

    /** So that one that hangs does not take those of programs. */
    private static final int CONNECTIONS_OF_EXPORTER = 3;

    private final Statements statements;
    private final Dialect dialect;

    AccountStatements(Statements statements, Dialect dialect) {
        this.statements = statements;
        this.dialect = dialect;
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
        if (accounts.exporter().isPresent()) {
            makeExporter(accounts.exporter().get());
        } else {
            statements.query("DROP USER IF EXISTS " + Quoted.account(Accounts.EXPORTER));
        }
        if (accounts.root() != null && accounts.ownsRoot()) {
            changeRoot(accounts.root());
        }
    }

    private void makeExporter(Account exporter) throws SqlFailure, InterruptedException {
        make(exporter);
        String who = Quoted.account(exporter.user());
        statements.query("ALTER USER " + who + " WITH MAX_USER_CONNECTIONS " + CONNECTIONS_OF_EXPORTER);
        if (!mayOnlyLook(grants(who))) {
            statements.query("REVOKE ALL PRIVILEGES, GRANT OPTION FROM " + who);
            for (String rights : rightsOfExporter()) {
                statements.query(rights + "TO " + who);
            }
        }
    }

    private List<String> rightsOfExporter() {
        return List.of("GRANT " + dialect.rightsOfExporter() + " ON *.* ", "GRANT SELECT ON `performance_schema`.* ");
    }

    private boolean mayOnlyLook(List<String> grants) {
        List<String> rights = rightsOfExporter();
        return grants.size() == rights.size()
                && rights.stream().allMatch(right -> grants.stream().anyMatch(grant -> grant.startsWith(right)))
                && grants.stream().noneMatch(grant -> grant.endsWith("WITH GRANT OPTION"));
    }

    /** Whether the exporter's account is there with its rights, or, where there is to be none, is not. */
    boolean isExporterAsWanted(Accounts accounts) throws SqlFailure, InterruptedException {
        String user = Accounts.EXPORTER;
        boolean isThere = !statements
                .query("SELECT User FROM mysql.user WHERE User = " + Quoted.literal(user) + " AND Host = '"
                        + AccountName.ANYWHERE + "'")
                .isEmpty();
        return accounts.exporter().isPresent() ? isThere && mayOnlyLook(grants(Quoted.account(user))) : !isThere;
    }

    /** Wherever it may come from and has a password: how else somebody lets it in stays as it is. */
    private void changeRoot(Account root) throws SqlFailure, InterruptedException {
        for (Row row : statements.query(dialect.rootsWithPassword())) {
            String who = Quoted.account(new AccountName(root.user(), row.text("Host"))) + " ";
            changePasswords(root, who, dialect.passwords(Dialect.BY, root));
        }
    }

    /** As the accounts and the server say it; what an account asks for beyond TLS counts as more. */
    Encryption encryption(Accounts accounts, Instant expiry, boolean isCurrent)
            throws SqlFailure, InterruptedException {
        boolean server = statements
                .row("SELECT @@GLOBAL.require_secure_transport AS required")
                .isOn("required");
        List<String> demands = demands(accounts).values().stream().toList();
        return new Encryption(
                expiry,
                isCurrent,
                server && demands.stream().noneMatch(String::isEmpty),
                server || demands.contains(TLS));
    }

    void requireEncryption(Accounts accounts, boolean required) throws SqlFailure, InterruptedException {
        for (Map.Entry<String, String> demand : demands(accounts).entrySet()) {
            if (demand.getValue().equals(required ? "" : TLS)) {
                statements.query(
                        "ALTER USER " + Quoted.account(demand.getKey()) + " REQUIRE " + (required ? "SSL" : "NONE"));
            }
        }
        statements.query("SET GLOBAL require_secure_transport = " + (required ? "ON" : "OFF"));
    }

    /** What each account that is there asks for, by its name: empty for nothing. */
    private Map<String, String> demands(Accounts accounts) throws SqlFailure, InterruptedException {
        String names = Stream.concat(
                        Stream.of(accounts.operator(), accounts.replication()),
                        Stream.concat(
                                accounts.application().map(Application::account).stream(),
                                accounts.exporter().stream()))
                .map(account -> Quoted.literal(account.user()))
                .collect(Collectors.joining(", "));
        Map<String, String> demands = new TreeMap<>();
        for (Row row : statements.query("SELECT User AS name, ssl_type AS demand FROM mysql.user WHERE Host = '"
                + AccountName.ANYWHERE + "' AND User IN (" + names + ")")) {
            demands.put(row.text("name"), row.text("demand"));
        }
        return demands;
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
        String who = Quoted.account(account.user()) + " ";
        List<String> passwords = dialect.passwords(dialect.byPassword(), account);
        statements.secret("CREATE USER " + account, "CREATE USER IF NOT EXISTS " + who + passwords.get(0));
        changePasswords(account, who, passwords);
    }

    private void changePasswords(Account account, String who, List<String> passwords)
            throws SqlFailure, InterruptedException {
        statements.query("ALTER USER " + who + dialect.withoutPasswordRules());
        for (String password : passwords) {
            statements.secret("ALTER USER " + account, "ALTER USER " + who + password);
        }
    }

    /** Else its rights would be gone for a moment, and replicas at this server would stop for good. */
    private boolean mayOnlyReplicate(String account) throws SqlFailure, InterruptedException {
        List<String> grants = grants(account).stream()
                .filter(grant -> !BESIDES.matcher(grant).matches())
                .toList();
        return grants.size() == 1 && grants.get(0).startsWith(REPLICATION);
    }
}

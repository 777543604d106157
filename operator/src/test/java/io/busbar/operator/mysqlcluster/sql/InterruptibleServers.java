package io.busbar.operator.mysqlcluster.sql;

import io.vertx.core.Vertx;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Real servers for an operator that may end at each statement that changes something. Any thread. */
public final class InterruptibleServers implements DatabaseServers {

    /** What nobody can tell afterwards. */
    private static final Pattern ASKS = Pattern.compile("(SELECT|SHOW|SET SESSION) (?s:.*)");

    private static final int SHOWN = 60;

    private final Vertx vertx;
    private final EventLoop loop;
    private final ActionsOfOperator actions;

    /** @param vertx whose end is that of all connections, without a word to the servers */
    public InterruptibleServers(Vertx vertx, ActionsOfOperator actions) {
        this.vertx = vertx;
        this.loop = new EventLoop(vertx);
        this.actions = actions;
    }

    @Override
    public DatabaseServer server(Endpoint endpoint, Account account, Optional<Trust> trust) {
        return new ConnectedServer(endpoint, account, () -> {
            actions.goOn();
            return new Interruptible(
                    endpoint, VertxStatements.open(vertx, loop, endpoint, account, trust, what -> actions.goOn()));
        });
    }

    private final class Interruptible implements Statements {

        private final Endpoint server;
        private final Statements statements;

        Interruptible(Endpoint server, Statements statements) {
            this.server = server;
            this.statements = statements;
        }

        @Override
        public List<Row> query(String sql, Duration patience) throws SqlFailure, InterruptedException {
            if (ASKS.matcher(sql).matches()) {
                List<Row> rows = statements.query(sql, patience);
                actions.goOn();
                return rows;
            }
            String action = server + ": " + sql.substring(0, Math.min(SHOWN, sql.length()));
            actions.begins(action);
            List<Row> rows = statements.query(sql, patience);
            actions.done(action);
            return rows;
        }

        @Override
        public void secret(String kind, String sql) throws SqlFailure, InterruptedException {
            String action = server + ": " + kind;
            actions.begins(action);
            statements.secret(kind, sql);
            actions.done(action);
        }

        @Override
        public Optional<X509Certificate> certificate() {
            return statements.certificate();
        }

        @Override
        public boolean isOpen() {
            return statements.isOpen();
        }

        @Override
        public void close() {
            statements.close();
        }
    }
}

package io.busbar.operator.mysqlcluster.simulation;

import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Replication;
import java.util.ArrayList;
import java.util.List;

/** How a server follows another. For one thread at a time. */
final class Link {

    final Endpoint source;
    final String password;

    /** Received, and not applied yet. */
    final List<Transaction> relayed = new ArrayList<>();

    Replication.Io io = Replication.Io.CONNECTING;
    boolean sqlRunning = true;
    int ioErrno;
    int sqlErrno;

    Link(Endpoint source, String password) {
        this.source = source;
        this.password = password;
    }

    /** What was received and not applied is asked for again where both had stopped. */
    void start() {
        if (!sqlRunning) {
            relayed.clear();
        }
        io = Replication.Io.CONNECTING;
        sqlRunning = true;
        ioErrno = 0;
        sqlErrno = 0;
    }

    void stop() {
        io = Replication.Io.NO;
        sqlRunning = false;
    }

    /** It is tried again. */
    void refused(int errno) {
        io = Replication.Io.CONNECTING;
        ioErrno = errno;
    }

    void cannotGoOn() {
        io = Replication.Io.NO;
        ioErrno = Replication.FATAL_ERROR_READING_BINLOG;
    }
}

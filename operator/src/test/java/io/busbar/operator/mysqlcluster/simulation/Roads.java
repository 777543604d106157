package io.busbar.operator.mysqlcluster.simulation;

import io.busbar.operator.mysqlcluster.sql.Replication;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How servers get through to one another, each direction by itself. A connection that is there stays for a while when a
 * direction is closed, as nobody knows yet; one that is to be made needs both. For one thread.
 */
final class Roads {

    /** After so many seconds without a sign of the other, a connection is given up: as the option files have it. */
    private static final int HEARTBEATS = 8;

    /** How many seconds ago a direction was closed. */
    private final Map<String, Integer> closed = new HashMap<>();

    /** Of a replica and its source. */
    enum Way {
        BOTH,
        /** It goes on receiving, and its acknowledgements do not arrive. */
        NO_ACKNOWLEDGEMENT,
        NOTHING_COMES,
        /** The connection is gone, and cannot be made again. */
        NOTICED
    }

    void close(String from, String to) {
        closed.putIfAbsent(from + ">" + to, 0);
    }

    void open(String from, String to) {
        closed.remove(from + ">" + to);
    }

    void openAll() {
        closed.clear();
    }

    /** A second passes. */
    void pass() {
        closed.replaceAll((road, seconds) -> seconds + 1);
    }

    Way between(String replica, String source, @Nullable Link link) {
        Integer there = closed.get(source + ">" + replica);
        Integer back = closed.get(replica + ">" + source);
        if (there == null && back == null) {
            return Way.BOTH;
        }
        boolean isConnected = link != null && link.io == Replication.Io.YES;
        int longest = Math.max(there == null ? 0 : there, back == null ? 0 : back);
        if (!isConnected || longest > HEARTBEATS) {
            return Way.NOTICED;
        }
        return there == null ? Way.NO_ACKNOWLEDGEMENT : Way.NOTHING_COMES;
    }
}

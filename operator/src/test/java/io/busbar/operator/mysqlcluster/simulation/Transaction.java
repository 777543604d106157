package io.busbar.operator.mysqlcluster.simulation;

/**
 * Something that a client wrote; its text is its GTID.
 *
 * <p>Immutable.
 *
 * @param server where it was written
 * @param sequence one more than that of the one before it
 */
record Transaction(long server, long sequence) {

    static Transaction of(String gtid) {
        String[] parts = gtid.split("-", -1);
        return new Transaction(Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }

    @Override
    public String toString() {
        return "0-" + server + "-" + sequence;
    }
}

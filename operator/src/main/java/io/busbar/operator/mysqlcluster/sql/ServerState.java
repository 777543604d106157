package io.busbar.operator.mysqlcluster.sql;

import java.util.Optional;

/**
 * What a server says of itself, at one moment.
 *
 * <p>Immutable.
 *
 * @param flavor whose words it understands
 * @param version as it tells, such as {@code 10.11.18-MariaDB}
 * @param serverId of its transactions
 * @param writer what tells its transactions from those of others: MariaDB's server_id, MySQL's server_uuid
 * @param readOnly whether ordinary accounts cannot write
 * @param history all transactions that it has in its binary log: own ones and those that came
 * @param applied those that came by replication: MariaDB's gtid_slave_pos; of MySQL, all
 * @param own what was written here itself, beyond what came by replication
 * @param replication whom it follows; empty when none
 * @param incomplete whether it was erased and has not all yet of what it is being given instead, whatever its position
 *     says
 * @param passesOverOwn whether it takes no notice of what comes with its own server_id, which it would have already:
 *     MariaDB unless it is a semi-synchronous replica, and without a word, moving its position on. MySQL takes it by
 *     our option files
 * @param acknowledgements how many replicas each write waits for; 0 when it waits for none
 * @param copy that it was told to make of another's data files, and that is not accepted yet: it is incomplete until
 *     then
 */
public record ServerState(
        Flavor flavor,
        String version,
        long serverId,
        String writer,
        boolean readOnly,
        Position history,
        Position applied,
        Position own,
        Optional<Replication> replication,
        boolean incomplete,
        boolean passesOverOwn,
        int acknowledgements,
        Optional<PhysicalCopy> copy) {

    /** The two products. */
    public enum Flavor {
        MARIADB,
        MYSQL
    }

    /** Nothing was ever written, cloned or replicated here. */
    public boolean isBlank() {
        return history.isEmpty() && applied.isEmpty();
    }
}

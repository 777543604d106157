package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** MySQLBackups and MySQLRestores of clusters that have a table of orders. */
record BackupsOfOrders(Cluster cluster, Databases databases) {

    /** What the table holds, as one row. */
    static final String SUM = "SELECT CONCAT(COUNT(*), ' ', SUM(CRC32(CONCAT(id, note)))) FROM shop.orders";

    /** Makes the table at the first member, with three rows. */
    void fill(String name) {
        databases.query(name, name + "-0", "CREATE DATABASE shop");
        databases.query(name, name + "-0", "CREATE TABLE shop.orders (id INT PRIMARY KEY, note TEXT)");
        databases.query(name, name + "-0", "INSERT INTO shop.orders VALUES (1, 'one'), (2, 'two'), (3, 'three')");
    }

    /** @param spec in the flow style of YAML */
    void begin(String of, String backup, String spec) {
        create(MySQLBackup.class, backup, "clusterName: " + of + ", " + spec);
    }

    MySQLBackupStatus make(String of, String backup, String spec) {
        begin(of, backup, spec);
        return ended(backup, "Complete");
    }

    /** Why it has. */
    String failed(String of, String backup, String spec) {
        begin(of, backup, spec);
        return String.valueOf(ended(backup, "Failed").message());
    }

    private MySQLBackupStatus ended(String backup, String phase) {
        databases.eventually(() ->
                assertThat(status(backup).phase()).as(status(backup).toString()).isEqualTo(phase));
        return status(backup);
    }

    MySQLBackupStatus status(String backup) {
        return cluster.get(MySQLBackup.class, backup).told();
    }

    void restore(String of, String backup, String restore) {
        create(MySQLRestore.class, restore, "clusterName: " + of + ", backupName: " + backup);
    }

    String phase(String restore) {
        return String.valueOf(cluster.get(MySQLRestore.class, restore).told().phase());
    }

    /** Why a restore has failed. */
    String message(String restore) {
        return Conditions.find(cluster.get(MySQLRestore.class, restore).told().conditions(), "Failed")
                .map(Condition::getMessage)
                .orElse("");
    }

    private <T extends HasMetadata> void create(Class<T> kind, String name, String spec) {
        cluster.create(kind, """
                apiVersion: database.example.com/v1alpha1
                kind: %s
                metadata: {name: %s, namespace: %s}
                spec: {%s}
                """.formatted(HasMetadata.getKind(kind), name, cluster.namespace(), spec));
    }
}

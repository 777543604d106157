package io.busbar.operator.mysqlcluster.observe;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The backups and restores that concern a cluster.
 *
 * <p>Immutable, but for the objects, which nobody changes.
 *
 * @param backups of the cluster
 * @param restores into the cluster
 * @param sources backups that the cluster or one of its restores names, by their names; of any cluster
 * @param storageImage what the containers run that reach S3; empty where that is not known, or nothing there is in
 *     S3
 */
public record Catalog(
        List<MySQLBackup> backups,
        List<MySQLRestore> restores,
        Map<String, MySQLBackup> sources,
        Optional<String> storageImage) {

    public Catalog {
        backups = List.copyOf(backups);
        restores = List.copyOf(restores);
        sources = Map.copyOf(sources);
    }

    /** That backup, if it concerns the cluster. */
    public Optional<MySQLBackup> source(String name) {
        return Optional.ofNullable(sources.get(name))
                .or(() -> backups.stream()
                        .filter(backup -> backup.getMetadata().getName().equals(name))
                        .findFirst());
    }

    public Optional<MySQLRestore> restore(String name) {
        return restores.stream()
                .filter(restore -> restore.getMetadata().getName().equals(name))
                .findFirst();
    }
}

package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.observe.PodAddressing;
import io.busbar.operator.mysqlcluster.v1alpha1.DeletionPolicy;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The file of a deleted backup stays as long as somebody is to be given what it holds. */
class FileRemovalTest {

    private final MySQLBackup backup = deleted();
    private final InMemoryContext<MySQLBackup> context = InMemoryContext.of(backup);
    private final BackupReconciler reconciler = new BackupReconciler(
            PodAddressing.POD_IP, new StorageImage(Optional.empty(), Optional.empty()), Clock.systemUTC());

    private static MySQLBackup deleted() {
        MySQLBackup backup = SampleBackups.complete(SampleBackups.waiting("b", "1"), "2", "00", "0-100-7");
        backup.setSpec(new MySQLBackupSpec("db", List.of(), null, DeletionPolicy.Delete));
        return backup;
    }

    private boolean removes() throws Exception {
        context.cleanup(reconciler);
        return context.get(Job.class, "b-remove").isPresent();
    }

    private static MySQLRestore restore(String status) {
        return Serialization.unmarshal(
                "metadata: {name: again, namespace: ns}\nspec: {clusterName: other, backupName: b}\nstatus: " + status,
                MySQLRestore.class);
    }

    private static MySQLCluster cluster(String status) {
        return Serialization.unmarshal(
                "metadata: {name: copy, namespace: ns}\nspec: {size: 1, bootstrapFrom: {backupName: b}}\nstatus: "
                        + status,
                MySQLCluster.class);
    }

    @Test
    void a_restore_that_is_not_finished_keeps_it() throws Exception {
        context.put(restore("{phase: Running, backupName: b}"));
        context.put(Serialization.unmarshal(
                "metadata: {name: elsewhere, namespace: ns}\nspec: {clusterName: other, pointInTime: any}",
                MySQLRestore.class));
        assertThat(removes()).isFalse();
        assertThat(context.toldEvents())
                .anyMatch(event -> event.contains("until the MySQLRestore again has been given it"));

        context.put(restore("{phase: Failed, backupName: b, conditions: [{type: Failed, status: 'True'}]}"));
        assertThat(removes()).isTrue();
    }

    @Test
    void a_cluster_that_is_to_begin_with_it_keeps_it() throws Exception {
        context.put(restore("{phase: Complete, backupName: b, conditions: [{type: Complete, status: 'True'}]}"));
        context.put(cluster("{}"));
        assertThat(removes()).isFalse();

        context.put(cluster("{currentPrimary: copy-0}"));
        assertThat(removes()).isTrue();
    }
}

package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.observe.PodAddressing;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StorageImageTest {

    private static final ObjectKey OWN = ObjectKey.of("busbar-system", "busbar-0");
    private static final String IN_S3 =
            "size: 1, backup: {storage: {s3: {bucket: %s, credentialsSecretRef: {name: s3}}}}";

    private static InMemoryContext<MySQLBackup> context(String bucket) {
        InMemoryContext<MySQLBackup> context = InMemoryContext.of(SampleBackups.waiting("b", "2026-01-01T00:00:00Z"));
        context.put(SampleBackups.cluster(IN_S3.formatted(bucket)));
        return context;
    }

    private static Condition failed(InMemoryContext<MySQLBackup> context, StorageImage image) throws Exception {
        context.reconcile(new BackupReconciler(PodAddressing.DNS, image, context.clock()));
        return Conditions.find(context.primary().told().conditions(), "Failed").orElseThrow();
    }

    @Test
    void is_that_of_the_operators_own_container_among_sidecars_and_asked_for_once() {
        InMemoryContext<MySQLBackup> context = context("backups");
        context.put(Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata: {name: busbar-0, namespace: busbar-system}
                spec: {containers: [{name: proxy, image: "proxy:1"}, {name: manager, image: "busbar:1"}]}
                """, Pod.class));
        StorageImage image = new StorageImage(Optional.empty(), Optional.of(OWN));

        assertThat(image.name(context.client())).contains("busbar:1");
        context.forget();
        assertThat(image.name(context.client())).contains("busbar:1");
        assertThat(context.requests()).isEmpty();
    }

    @Test
    void is_the_one_that_is_chosen() {
        StorageImage image = new StorageImage(Optional.of("mirror/busbar:1"), Optional.of(OWN));

        assertThat(image.name(context("backups").client())).contains("mirror/busbar:1");
    }

    @Test
    void a_backup_fails_where_nobody_knows_it_and_says_what_to_do() throws Exception {
        Condition failed = failed(context("backups"), new StorageImage(Optional.empty(), Optional.empty()));

        assertThat(failed.getReason()).isEqualTo("StorageImageUnknown");
        assertThat(failed.getMessage()).contains("--storage-image");
    }

    @Test
    void a_backup_fails_whose_storage_cannot_be_and_names_the_field() throws Exception {
        Condition failed = failed(context("a..b"), new StorageImage(Optional.of("busbar:1"), Optional.empty()));

        assertThat(failed.getReason()).isEqualTo("NoStorage");
        assertThat(failed.getMessage()).startsWith("MySQLCluster db: spec.backup.storage.s3.bucket: Invalid value");
    }
}

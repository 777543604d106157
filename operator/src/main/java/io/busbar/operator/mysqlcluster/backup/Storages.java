package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.ClaimRef;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Where files of backups are kept, as Jobs see it. Pure; any thread. */
final class Storages {

    private static final String VOLUME = "backup";
    private static final String FOLDER = "/backup";

    /** What images of both products run servers as, and Jobs run as. */
    private static final long OWNER = 999;

    /** Arguments: the owner, and the folder. */
    private static final String MAKE_FOLDER = "mkdir -p -- \"$1\" && chown \"$0:$0\" -- \"$1\"";

    private Storages() {}

    /** The backup's own, or else its cluster's. */
    static Optional<BackupStorage> of(MySQLBackup backup, MySQLCluster cluster) {
        return Optional.ofNullable(backup.getSpec().storage())
                .or(() -> Optional.ofNullable(cluster.wanted().backup()).map(BackupSpec::storage));
    }

    /**
     * What the container runs that reaches a storage; empty text where none is needed.
     *
     * @return empty where it is not known
     */
    static Optional<String> image(BackupStorage storage, StorageImage image, KubernetesClient client) {
        return storage.s3() == null ? Optional.of("") : image.name(client);
    }

    static void mount(Job job, BackupStorage storage, boolean readOnly) {
        job.getSpec().getTemplate().getSpec().getVolumes().add(volume(storage));
        ClusterJobs.container(job)
                .getVolumeMounts()
                .add(new VolumeMountBuilder()
                        .withName(VOLUME)
                        .withMountPath(FOLDER)
                        .withReadOnly(readOnly ? Boolean.TRUE : null)
                        .build());
        ClusterJobs.variable(job, "STORAGE", FOLDER);
    }

    /**
     * Has the folder of a file made by root before the Job runs, and given to whom the Job runs as. The kubelet makes a
     * folder of its node for root alone; a claim's volume is given to the group of the Pod instead.
     */
    static void makeFolder(Job job, BackupStorage storage, String file) {
        if (storage.hostPath() == null) {
            return;
        }
        job.getSpec()
                .getTemplate()
                .getSpec()
                .getInitContainers()
                .add(new ContainerBuilder()
                        .withName("folder")
                        .withImage(ClusterJobs.container(job).getImage())
                        .withCommand("bash", "-c", MAKE_FOLDER, String.valueOf(OWNER), FOLDER + "/" + folder(file))
                        .withNewSecurityContext()
                        .withRunAsUser(0L)
                        .withRunAsGroup(0L)
                        .withRunAsNonRoot(false)
                        .withAllowPrivilegeEscalation(false)
                        .withNewCapabilities()
                        .withDrop("ALL")
                        .withAdd("CHOWN", "DAC_OVERRIDE")
                        .endCapabilities()
                        .endSecurityContext()
                        .addNewVolumeMount()
                        .withName(VOLUME)
                        .withMountPath(FOLDER)
                        .endVolumeMount()
                        .build());
    }

    private static String folder(String file) {
        return file.substring(0, file.lastIndexOf('/'));
    }

    /** What was mounted, or noted. */
    static Optional<BackupStorage> of(Job job) {
        return ClusterKeys.STORAGE.of(job).map(Storages::read).or(() -> mounted(job));
    }

    /** Has a Job say that it writes to S3, where nothing is mounted. */
    static void note(Job job, BackupStorage storage) {
        Map<String, String> annotations = new HashMap<>(job.getMetadata().getAnnotations());
        annotations.put(ClusterKeys.STORAGE.name(), Serialization.asJson(storage));
        job.getMetadata().setAnnotations(annotations);
    }

    private static BackupStorage read(String json) {
        return Serialization.unmarshal(json, BackupStorage.class);
    }

    private static Optional<BackupStorage> mounted(Job job) {
        return job.getSpec().getTemplate().getSpec().getVolumes().stream()
                .filter(volume -> volume.getName().equals(VOLUME))
                .findFirst()
                .map(Storages::storage);
    }

    private static Volume volume(BackupStorage storage) {
        VolumeBuilder volume = new VolumeBuilder().withName(VOLUME);
        ClaimRef claim = storage.pvc();
        return claim != null
                ? volume.withNewPersistentVolumeClaim(claim.claimName(), false).build()
                : volume.withNewHostPath(storage.hostPath(), "DirectoryOrCreate")
                        .build();
    }

    private static BackupStorage storage(Volume volume) {
        return volume.getPersistentVolumeClaim() != null
                ? new BackupStorage(
                        new ClaimRef(volume.getPersistentVolumeClaim().getClaimName()), null, null)
                : new BackupStorage(null, volume.getHostPath().getPath(), null);
    }
}

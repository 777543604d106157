package io.busbar.operator.mysqlcluster.objects;

import io.busbar.operator.mysqlcluster.sql.Encryption;
import io.busbar.operator.mysqlcluster.v1alpha1.BootstrapFrom;
import io.busbar.operator.mysqlcluster.v1alpha1.ExternalPrimary;
import io.busbar.operator.mysqlcluster.v1alpha1.ExternalPrimaryState;
import io.busbar.operator.mysqlcluster.v1alpha1.ExternalPrimaryStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.SecretRef;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.Optional;

/** Whether a cluster follows a server outside. Pure; any thread. */
public final class Migration {

    private static final String FOLDER = "/etc/mysql/external";

    /** Where members, and the Job that fills the first, have the CAs by which they verify the server outside. */
    public static final String AUTHORITIES = FOLDER + "/" + Encryption.AUTHORITIES;

    private Migration() {}

    /** Whom it was made to follow, whether or not it still does. */
    public static Optional<ExternalPrimary> asked(MySQLCluster cluster) {
        return Optional.ofNullable(cluster.wanted().bootstrapFrom()).map(BootstrapFrom::externalPrimary);
    }

    /** Has a Pod's first container find the CAs; a Secret that is not there yet does not hold it up. */
    public static void mount(PodSpec pod, SecretRef authorities) {
        pod.getContainers()
                .get(0)
                .getVolumeMounts()
                .add(new VolumeMountBuilder()
                        .withName(ClusterNames.EXTERNAL_AUTHORITIES)
                        .withMountPath(FOLDER)
                        .withReadOnly(true)
                        .build());
        pod.getVolumes()
                .add(new VolumeBuilder()
                        .withName(ClusterNames.EXTERNAL_AUTHORITIES)
                        .withNewSecret()
                        .withSecretName(authorities.name())
                        .addNewItem(Encryption.AUTHORITIES, null, Encryption.AUTHORITIES)
                        .withOptional(true)
                        .endSecret()
                        .build());
    }

    /** Whether it still follows, or is about to; a cluster that has taken over never does again. */
    public static boolean isUnderWay(MySQLCluster cluster) {
        return asked(cluster).isPresent() && !isOver(cluster);
    }

    /** By the annotation, which is there before the first write, or by the status, which may be lost. */
    public static boolean isOver(MySQLCluster cluster) {
        return ClusterKeys.CUT_OVER_AT.of(cluster).isPresent()
                || Optional.ofNullable(cluster.told().externalPrimary())
                        .map(ExternalPrimaryStatus::state)
                        .filter(ExternalPrimaryState.CutOver::equals)
                        .isPresent();
    }
}

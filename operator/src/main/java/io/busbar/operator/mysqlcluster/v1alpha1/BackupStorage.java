package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Where backups are kept: one of these.
 *
 * <p>Immutable.
 *
 * @param pvc a PersistentVolumeClaim of the same namespace
 * @param hostPath a folder of the node, which only makes sense where there is one node; in it a folder is made for
 *     each cluster by an init container that runs as root, which the namespace has to allow, as it has to allow
 *     hostPath
 * @param s3 a bucket
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record BackupStorage(
        @Nullable ClaimRef pvc,
        @Nullable String hostPath,
        @Nullable S3Storage s3) {}

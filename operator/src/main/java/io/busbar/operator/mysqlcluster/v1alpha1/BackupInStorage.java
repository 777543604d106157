package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/**
 * A backup that need not have a MySQLBackup, as in another Kubernetes cluster.
 *
 * <p>Immutable.
 *
 * @param storage where it is; only s3, where a manifest beside it tells what it was when it was made
 * @param file its key, as status.file of its MySQLBackup was; or what keys begin with, up to a slash, for the newest of
 *     the backups right below
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record BackupInStorage(
        @Required BackupStorage storage,
        @Required @Size(min = 1, max = 1024) String file) {}

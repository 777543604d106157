package io.busbar.operator.mysqlcluster.v1alpha1;

import io.busbar.common.RecordResource;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Objects;

/**
 * A copy of the data of a MySQLCluster. Namespaced.
 *
 * <p>For the thread that holds it: mutable as all of the client's models are.
 */
@Group(MySQLCluster.GROUP)
@Version("v1alpha1")
@Kind("MySQLBackup")
@Plural("mysqlbackups")
@Singular("mysqlbackup")
@ShortNames("mysqlbak")
@AdditionalPrinterColumn(name = "Cluster", jsonPath = ".spec.clusterName")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(name = "Source", jsonPath = ".status.source")
@AdditionalPrinterColumn(name = "Size", jsonPath = ".status.sizeBytes", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Verification", jsonPath = ".status.verification.phase")
@AdditionalPrinterColumn(
        name = "Completed",
        jsonPath = ".status.completionTime",
        type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class MySQLBackup extends RecordResource<MySQLBackup, MySQLBackupSpec, MySQLBackupStatus>
        implements Namespaced {

    private static final long serialVersionUID = 1L;

    @Override
    @Required
    public MySQLBackupSpec getSpec() {
        return super.getSpec();
    }

    /** What was told last; nothing, before anything was done. */
    public MySQLBackupStatus told() {
        return Objects.requireNonNullElse(getStatus(), MySQLBackupStatus.NONE);
    }
}

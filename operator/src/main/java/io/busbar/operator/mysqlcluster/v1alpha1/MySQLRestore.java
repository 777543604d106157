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
 * A copy that is put back into a MySQLCluster. Namespaced.
 *
 * <p>For the thread that holds it: mutable as all of the client's models are.
 */
@Group(MySQLCluster.GROUP)
@Version("v1alpha1")
@Kind("MySQLRestore")
@Plural("mysqlrestores")
@Singular("mysqlrestore")
@ShortNames("mysqlres")
@AdditionalPrinterColumn(name = "Cluster", jsonPath = ".spec.clusterName")
@AdditionalPrinterColumn(name = "Backup", jsonPath = ".status.backupName")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class MySQLRestore extends RecordResource<MySQLRestore, MySQLRestoreSpec, MySQLRestoreStatus>
        implements Namespaced {

    private static final long serialVersionUID = 1L;

    @Override
    @Required
    public MySQLRestoreSpec getSpec() {
        return super.getSpec();
    }

    /** What was told last; nothing, before anything was done. */
    public MySQLRestoreStatus told() {
        return Objects.requireNonNullElse(getStatus(), MySQLRestoreStatus.NONE);
    }
}

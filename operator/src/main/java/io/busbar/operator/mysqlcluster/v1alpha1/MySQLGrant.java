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
 * What an account may do in a MySQLCluster. Namespaced.
 *
 * <p>For the thread that holds it: mutable as all of the client's models are.
 */
@Group(MySQLCluster.GROUP)
@Version("v1alpha1")
@Kind("MySQLGrant")
@Plural("mysqlgrants")
@Singular("mysqlgrant")
@ShortNames("mysqlgr")
@AdditionalPrinterColumn(name = "Cluster", jsonPath = ".spec.clusterRef.name")
@AdditionalPrinterColumn(name = "User", jsonPath = ".spec.user.name")
@AdditionalPrinterColumn(name = "Database", jsonPath = ".spec.database")
@AdditionalPrinterColumn(name = "Table", jsonPath = ".spec.table")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type=='Ready')].status")
@AdditionalPrinterColumn(name = "Reason", jsonPath = ".status.conditions[?(@.type=='Ready')].reason")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class MySQLGrant extends RecordResource<MySQLGrant, MySQLGrantSpec, MySQLGrantStatus>
        implements Namespaced {

    private static final long serialVersionUID = 1L;

    @Override
    @Required
    public MySQLGrantSpec getSpec() {
        return super.getSpec();
    }

    /** What was told last; nothing, before anything was done. */
    public MySQLGrantStatus told() {
        return Objects.requireNonNullElse(getStatus(), MySQLGrantStatus.NONE);
    }
}

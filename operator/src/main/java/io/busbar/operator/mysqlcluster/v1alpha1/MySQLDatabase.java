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
 * A database in a MySQLCluster. Namespaced.
 *
 * <p>For the thread that holds it: mutable as all of the client's models are.
 */
@Group(MySQLCluster.GROUP)
@Version("v1alpha1")
@Kind("MySQLDatabase")
@Plural("mysqldatabases")
@Singular("mysqldatabase")
@ShortNames("mysqldb")
@AdditionalPrinterColumn(name = "Cluster", jsonPath = ".spec.clusterRef.name")
@AdditionalPrinterColumn(name = "Database", jsonPath = ".status.database")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type=='Ready')].status")
@AdditionalPrinterColumn(name = "Reason", jsonPath = ".status.conditions[?(@.type=='Ready')].reason")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class MySQLDatabase extends RecordResource<MySQLDatabase, MySQLDatabaseSpec, MySQLDatabaseStatus>
        implements Namespaced {

    private static final long serialVersionUID = 1L;

    @Override
    @Required
    public MySQLDatabaseSpec getSpec() {
        return super.getSpec();
    }

    /** What was told last; nothing, before anything was done. */
    public MySQLDatabaseStatus told() {
        return Objects.requireNonNullElse(getStatus(), MySQLDatabaseStatus.NONE);
    }

    /** On the servers. */
    public String databaseName() {
        return Objects.requireNonNullElse(getSpec().name(), getMetadata().getName());
    }
}

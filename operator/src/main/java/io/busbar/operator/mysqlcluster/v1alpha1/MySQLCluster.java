package io.busbar.operator.mysqlcluster.v1alpha1;

import io.busbar.common.RecordResource;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Objects;

/**
 * Database servers of which one is written to and the others follow it. Namespaced.
 *
 * <p>For the thread that holds it: mutable as all of the client's models are.
 */
@Group(MySQLCluster.GROUP)
@Version("v1alpha1")
@Kind("MySQLCluster")
@Plural("mysqlclusters")
@Singular("mysqlcluster")
@ShortNames("mysql")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(
        name = "Ready",
        jsonPath = ".status.readyReplicas",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Primary", jsonPath = ".status.currentPrimary")
@AdditionalPrinterColumn(name = "Version", jsonPath = ".status.version")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class MySQLCluster extends RecordResource<MySQLCluster, MySQLClusterSpec, MySQLClusterStatus>
        implements Namespaced {

    public static final String GROUP = "database.example.com";

    private static final long serialVersionUID = 1L;

    /** What is asked for, with defaults where nothing is said. */
    public MySQLClusterSpec wanted() {
        return Objects.requireNonNullElseGet(getSpec(), MySQLClusterSpec::empty);
    }

    /** What was told last; nothing, before anything was looked at. */
    public MySQLClusterStatus told() {
        return Objects.requireNonNullElse(getStatus(), MySQLClusterStatus.NONE);
    }
}

package io.busbar.operator.mysqlcluster.objects;

import io.busbar.operator.mysqlcluster.sql.Accounts;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How the objects of a cluster are called, and labelled. Pure; any thread. */
public final class ClusterNames {

    /** On all objects of all clusters, with the value {@value #APP_VALUE}. */
    public static final String APP = "app";

    public static final String APP_VALUE = "mysqlcluster";

    /** Names the cluster. */
    public static final String CLUSTER = "mysqlcluster_cr";

    /** On Jobs and their Pods: names the cluster. */
    public static final String JOB = "mysqlcluster_job";

    /** On Pods: {@value #PRIMARY} or {@value #REPLICA}, for the Services. */
    public static final String ROLE = "mysqlcluster_role";

    /** The label by which the StatefulSet's controller tells what a Pod runs. */
    public static final String REVISION = "controller-revision-hash";

    public static final String PRIMARY = "primary";
    public static final String REPLICA = "replica";

    /** The operator's own account, which Jobs log in with as well. */
    public static final String OPERATOR = "busbar_operator";

    /** The account that replicas log in with. */
    public static final String REPLICATION = "busbar_replication";

    /** The account of programs whose password is made up. */
    public static final String APPLICATION = "busbar_application";

    /** The account of the exporter. */
    public static final String EXPORTER = Accounts.EXPORTER;

    /** In each Pod of a member: its server. */
    public static final String CONTAINER = "mysql";

    /** In Pods of members, where that is asked for: the exporter. */
    public static final String EXPORTER_CONTAINER = "exporter";

    /** Of a member. */
    public static final Set<String> VOLUMES = Set.of(
            "data",
            "config",
            ClusterNames.CERTIFICATES,
            ClusterNames.EXTERNAL_AUTHORITIES,
            "mysql-exporter",
            DataFiles.VOLUME);

    /** The volume with its certificate; that of a Job has the CAs alone. */
    public static final String CERTIFICATES = "mysql-tls";

    /** The volume with the CAs by which a server outside is verified. */
    public static final String EXTERNAL_AUTHORITIES = "mysql-external-ca";

    /** Where the servers listen. */
    public static final int PORT = 3306;

    private ClusterNames() {}

    /** Of the Secret with the passwords that are made up. */
    public static String auth(String cluster) {
        return cluster + "-auth";
    }

    /** Of the Secret with the certificate of the servers, which they and programs mount. */
    public static String tls(String cluster) {
        return cluster + "-tls";
    }

    /** Of the Secret with the operator's own CA and its key, which nobody mounts. */
    public static String authority(String cluster) {
        return cluster + "-ca";
    }

    /** Whether a Pod's server has a certificate, and is so connected to over TLS. */
    public static boolean isEncrypted(@Nullable PodSpec pod) {
        return pod != null && pod.getVolumes().stream().anyMatch(volume -> CERTIFICATES.equals(volume.getName()));
    }

    /** Whether a Pod's server lets in by a port of their own who administers it, and replicas. */
    public static boolean hasAdministrationPort(@Nullable PodSpec pod) {
        return pod != null
                && pod.getContainers().stream()
                        .filter(container -> CONTAINER.equals(container.getName()))
                        .flatMap(container -> container.getPorts().stream())
                        .anyMatch(port -> Objects.equals(port.getContainerPort(), Endpoint.ADMINISTRATION_PORT));
    }

    /**
     * Of the settings of one revision.
     *
     * @param hash of what they are
     */
    static String config(String cluster, String hash) {
        return cluster + "-config-" + hash;
    }

    public static String headless(String cluster) {
        return cluster + "-headless";
    }

    /** What the names of all volume claims of a cluster begin with; an ordinal follows. */
    public static String claimPrefix(String cluster) {
        return "data-" + cluster + "-";
    }

    public static String pod(String cluster, int ordinal) {
        return cluster + "-" + ordinal;
    }

    /** By which members, and the operator in the cluster, find a Pod. */
    public static String host(String cluster, Pod pod) {
        return host(cluster, pod.getMetadata().getNamespace(), pod.getMetadata().getName());
    }

    static String host(String cluster, String namespace, String pod) {
        return pod + "." + headless(cluster) + "." + namespace + ".svc";
    }

    /** Of a Pod; empty if its name is not that of a member. */
    public static OptionalInt ordinal(String cluster, String pod) {
        String prefix = cluster + "-";
        if (!pod.startsWith(prefix) || !pod.substring(prefix.length()).matches("[0-9]{1,4}")) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(Integer.parseInt(pod.substring(prefix.length())));
    }

    /** Of the Pods, as the API writes selectors. */
    public static String selector(String cluster) {
        return APP + "=" + APP_VALUE + "," + CLUSTER + "=" + cluster;
    }

    /** Of each object of a cluster. */
    public static Map<String, String> labels(String cluster) {
        return Map.of(APP, APP_VALUE, CLUSTER, cluster);
    }

    /** Empty if there is none. */
    public static String label(HasMetadata object, String key) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return labels == null ? "" : Objects.requireNonNullElse(labels.get(key), "");
    }
}

package io.busbar.operator.mysqlcluster.objects;

import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.Encryption;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.PodTemplate;
import io.busbar.reconciler.dependent.Template;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Map;
import java.util.Objects;

/** The Jobs that move data from one server to another. Pure; any thread. */
public final class ClusterJobs {

    private static final Template JOB = Template.beside(ClusterJobs.class, "job.yaml");
    private static final String FUNCTIONS = Texts.read("dump.sh");
    private static final String CLONE = Texts.read("clone.sh");

    private static final String AUTHORITIES_FOLDER = "/etc/busbar/tls";

    private final MySQLCluster cluster;

    public ClusterJobs(MySQLCluster cluster) {
        this.cluster = cluster;
    }

    public static String cloneName(String cluster, int ordinal) {
        return cluster + "-clone-" + ordinal;
    }

    /**
     * Gives a member all that another one has, in place of what it has itself.
     *
     * @param before the member's state when that was decided: in any other, it is not touched
     * @param required what the copy must have at least: all that the primary had then, and so all that the member ever
     *     wrote as the primary
     */
    public Job clone(int ordinal, Endpoint donor, Endpoint target, ServerState before, Position required) {
        Job job = running(cloneName(cluster.getMetadata().getName(), ordinal), CLONE);
        endpoint(job, "DONOR", donor);
        target(job, target, before);
        variable(job, "REQUIRED_POSITION", required.text());
        return job;
    }

    /**
     * A Job with the image and the password of the cluster.
     *
     * @param script in bash, after the functions of {@code dump.sh}
     */
    public Job running(String name, String script) {
        Job job = JOB.fill(
                Job.class,
                Map.of(
                        "name", cluster.getMetadata().getName(),
                        "namespace", cluster.getMetadata().getNamespace(),
                        "job", name,
                        "image", new ClusterObjects(cluster).image(),
                        "script", FUNCTIONS + script));
        PodTemplate pods = cluster.wanted().podTemplate();
        var spec = job.getSpec().getTemplate().getSpec();
        spec.setNodeSelector(pods.nodeSelector());
        spec.setTolerations(pods.tolerations());
        spec.setPriorityClassName(pods.priorityClassName());
        spec.setImagePullSecrets(pods.imagePullSecrets());
        variable(job, "OPERATOR", ClusterNames.OPERATOR);
        variable(job, "REPLICATION", ClusterNames.REPLICATION);
        variable(job, "MARK", DatabaseServer.MARK_OF_INCOMPLETE);
        if (ServerConfig.mayOpenAdministration(cluster.wanted())) {
            variable(job, "ADMINISTRATION_PORT", String.valueOf(Endpoint.ADMINISTRATION_PORT));
        }
        return job;
    }

    /**
     * Tells a script of a server: as {@code name_HOST} and {@code name_PORT}; and, as {@code name_TLS}, of the file with
     * the CAs to verify it by.
     */
    public static void endpoint(Job job, String name, Endpoint endpoint) {
        variable(job, name + "_HOST", endpoint.host());
        variable(job, name + "_PORT", String.valueOf(endpoint.port()));
        if (endpoint.encrypted()) {
            variable(job, name + "_TLS", AUTHORITIES_FOLDER + "/" + Encryption.AUTHORITIES);
            mountAuthorities(job);
        }
    }

    /** Without the key of the servers. */
    private static void mountAuthorities(Job job) {
        PodSpec pod = job.getSpec().getTemplate().getSpec();
        if (ClusterNames.isEncrypted(pod)) {
            return;
        }
        String cluster = ClusterNames.label(job, ClusterNames.JOB);
        pod.getVolumes()
                .add(new VolumeBuilder()
                        .withName(ClusterNames.CERTIFICATES)
                        .withNewSecret()
                        .withSecretName(ClusterNames.tls(cluster))
                        .addNewItem(Encryption.AUTHORITIES, null, Encryption.AUTHORITIES)
                        .endSecret()
                        .build());
        container(job)
                .getVolumeMounts()
                .add(new VolumeMountBuilder()
                        .withName(ClusterNames.CERTIFICATES)
                        .withMountPath(AUTHORITIES_FOLDER)
                        .withReadOnly(true)
                        .build());
    }

    /** Tells a script which server it may change, and only as long as that is as it was. */
    public static void target(Job job, Endpoint endpoint, ServerState before) {
        endpoint(job, "TARGET", endpoint);
        variable(job, "TARGET_WRITER", before.writer());
        variable(job, "TARGET_POSITION", before.history().text());
    }

    public static void variable(Job job, String name, String value) {
        container(job).getEnv().add(new EnvVar(name, value, null));
    }

    public static Container container(Job job) {
        return job.getSpec().getTemplate().getSpec().getContainers().get(0);
    }

    /** Whose data such a {@linkplain #clone copy} has. */
    public static Endpoint donor(Job job) {
        boolean encrypted = container(job).getEnv().stream()
                .anyMatch(variable -> variable.getName().equals("DONOR_TLS"));
        return new Endpoint(value(job, "DONOR_HOST"), Integer.parseInt(value(job, "DONOR_PORT")), encrypted);
    }

    /** The host of the server that a Job fills. */
    public static String target(Job job) {
        return value(job, "TARGET_HOST");
    }

    /** What a script is told, which its Job was made with. */
    public static String value(Job job, String name) {
        return container(job).getEnv().stream()
                .filter(variable -> variable.getName().equals(name))
                .map(one -> Objects.requireNonNullElse(one.getValue(), ""))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "the Job " + job.getMetadata().getName() + " has no variable " + name));
    }
}

package io.busbar.operator.mysqlcluster.objects;

import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.PodTemplate;
import io.busbar.reconciler.dependent.Template;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Map;

/** The Jobs that move data from one server to another. Pure; any thread. */
public final class ClusterJobs {

    private static final Template JOB = Template.beside(ClusterJobs.class, "job.yaml");
    private static final String FUNCTIONS = Texts.read("dump.sh");
    private static final String CLONE = Texts.read("clone.sh");

    private final MySQLCluster cluster;
    private final String operator;

    /**
     * @param operator the user that Jobs log in as
     */
    public ClusterJobs(MySQLCluster cluster, String operator) {
        this.cluster = cluster;
        this.operator = operator;
    }

    public static String cloneName(String cluster, int ordinal) {
        return cluster + "-clone-" + ordinal;
    }

    /** Gives a member all that another one has. */
    public Job clone(int ordinal, Endpoint donor, Endpoint target) {
        Job job = job(cloneName(cluster.getMetadata().getName(), ordinal), CLONE);
        Container container =
                job.getSpec().getTemplate().getSpec().getContainers().get(0);
        endpoint(container, "DONOR", donor);
        endpoint(container, "TARGET", target);
        return job;
    }

    private Job job(String name, String script) {
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
        spec.getContainers().get(0).getEnv().add(new EnvVar("OPERATOR", operator, null));
        return job;
    }

    private static void endpoint(Container container, String name, Endpoint endpoint) {
        container.getEnv().add(new EnvVar(name + "_HOST", endpoint.host(), null));
        container.getEnv().add(new EnvVar(name + "_PORT", String.valueOf(endpoint.port()), null));
    }
}

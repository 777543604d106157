package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.v1alpha1.S3Storage;
import io.busbar.operator.mysqlcluster.v1alpha1.SecretRef;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The containers of Jobs that reach S3: {@code busbar backup-object}, in the operator's own image. Pure; any thread. */
final class S3Containers {

    private static final String NAME = "s3";
    private static final String VOLUME = "pipe";
    private static final String FOLDER = "/pipe";

    /** A part of an object is as large at any size of the backup; a row in a binary log may have more. */
    private static final String JAVA_OPTIONS = "-Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1";

    /** What a script is told of the source. */
    private static final Set<String> SOURCE =
            Set.of("OPERATOR", "MYSQL_PWD", "SOURCE_HOST", "SOURCE_PORT", "SOURCE_TLS", "ADMINISTRATION_PORT");

    private S3Containers() {}

    /**
     * Puts one beside that of a database's image, joined to it by a folder for pipes, in memory.
     *
     * @param image that it runs
     * @param action of the command
     * @param key of the object
     */
    static void join(Job job, S3Storage s3, String image, String action, String key, String... flags) {
        PodSpec pod = job.getSpec().getTemplate().getSpec();
        VolumeMount mount =
                new VolumeMountBuilder().withName(VOLUME).withMountPath(FOLDER).build();
        pod.getVolumes()
                .add(new VolumeBuilder()
                        .withName(VOLUME)
                        .withNewEmptyDir()
                        .withMedium("Memory")
                        .endEmptyDir()
                        .build());
        ClusterJobs.container(job).getVolumeMounts().add(mount);
        ClusterJobs.variable(job, "PIPE", FOLDER);
        Container container = container(job, s3, image, action, key, flags);
        container.getVolumeMounts().add(mount);
        pod.getContainers().add(container);
    }

    /** Lets the container log in at the source as the script does. */
    static void shareSource(Job job) {
        Container script = ClusterJobs.container(job);
        Container container = in(job).orElseThrow();
        script.getEnv().stream()
                .filter(variable -> SOURCE.contains(variable.getName()))
                .forEach(container.getEnv()::add);
        script.getVolumeMounts().stream()
                .filter(mount -> mount.getName().equals(ClusterNames.CERTIFICATES))
                .forEach(container.getVolumeMounts()::add);
    }

    /** Has a Job run nothing else, where no server is asked. */
    static void only(Job job, S3Storage s3, String image, String action, String key, String... flags) {
        job.getSpec()
                .getTemplate()
                .getSpec()
                .setContainers(new ArrayList<>(List.of(container(job, s3, image, action, key, flags))));
    }

    /** That of a Job; empty where it has none. */
    static Optional<Container> in(Job job) {
        return job.getSpec().getTemplate().getSpec().getContainers().stream()
                .filter(container -> container.getName().equals(NAME))
                .findFirst();
    }

    private static Container container(
            Job job, S3Storage s3, String image, String action, String key, String... flags) {
        // A Service called busbar would make variables that are taken for flags.
        job.getSpec().getTemplate().getSpec().setEnableServiceLinks(false);
        List<String> arguments = new ArrayList<>(List.of("backup-object"));
        if (s3.endpoint() != null && !s3.endpoint().isEmpty()) {
            arguments.add("--endpoint=" + s3.endpoint());
        }
        arguments.addAll(List.of("--region=" + s3.region(), "--bucket=" + s3.bucket(), "--key=" + key));
        if (s3.forcePathStyle()) {
            arguments.add("--path-style");
        }
        if (s3.serverSideEncryption() != null && !s3.serverSideEncryption().isEmpty()) {
            arguments.add("--encryption=" + s3.serverSideEncryption());
        }
        if (s3.caSecretRef() != null) {
            arguments.add("--own-ca");
        }
        arguments.addAll(List.of(flags));
        arguments.add(action);
        List<EnvVar> variables = new ArrayList<>(List.of(
                secret("AWS_ACCESS_KEY_ID", s3.credentialsSecretRef(), "accessKeyId"),
                secret("AWS_SECRET_ACCESS_KEY", s3.credentialsSecretRef(), "secretAccessKey"),
                new EnvVar("JDK_JAVA_OPTIONS", JAVA_OPTIONS, null)));
        if (s3.caSecretRef() != null) {
            variables.add(secret("S3_CA", s3.caSecretRef(), "ca.crt"));
        }
        return new ContainerBuilder()
                .withName(NAME)
                .withImage(image)
                .withArgs(arguments)
                .withEnv(variables)
                .withSecurityContext(ClusterJobs.container(job).getSecurityContext())
                .build();
    }

    /** Where it is missing, the program says so; the Pod would never start. */
    private static EnvVar secret(String variable, SecretRef secret, String key) {
        return new EnvVarBuilder()
                .withName(variable)
                .withNewValueFrom()
                .withNewSecretKeyRef(key, secret.name(), true)
                .endValueFrom()
                .build();
    }
}

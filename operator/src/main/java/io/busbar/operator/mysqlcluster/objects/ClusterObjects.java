package io.busbar.operator.mysqlcluster.objects;

import com.google.common.base.Suppliers;
import io.busbar.operator.mysqlcluster.sql.Encryption;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.v1alpha1.Mode;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.PodTemplate;
import io.busbar.operator.mysqlcluster.v1alpha1.SecretRef;
import io.busbar.operator.mysqlcluster.version.ServerVersion;
import io.busbar.reconciler.dependent.Template;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** What a MySQLCluster consists of. Pure; any thread. */
public final class ClusterObjects {

    private static final Template POD = Template.beside(ClusterObjects.class, "pod.yaml");
    private static final Template STATEFUL_SET = Template.beside(ClusterObjects.class, "statefulset.yaml");
    private static final Template DEPLOYMENT = Template.beside(ClusterObjects.class, "deployment.yaml");
    private static final Template SERVICE = Template.beside(ClusterObjects.class, "service.yaml");

    /** More members than these there are not. */
    static final int MOST_MEMBERS = 9;

    /** What all members have in common. */
    private static final String COMMON_FILE = "my.cnf";

    private static final int READABLE_BY_GROUP = 0440;

    private final MySQLCluster cluster;
    private final MySQLClusterSpec spec;
    private final String name;
    private final Optional<StatefulSet> there;
    private final List<Pod> pods;
    private final boolean administered;
    private final Supplier<Map<String, String>> files;
    private final Supplier<String> configName;

    /** Of one that has no servers yet. */
    public ClusterObjects(MySQLCluster cluster) {
        this(cluster, Optional.empty(), List.of());
    }

    /**
     * Servers that run are not restarted for what a newer operator would add to them alone.
     *
     * @param there the StatefulSet that is there already, if any; the size of its volumes cannot be changed
     * @param pods that run
     */
    public ClusterObjects(MySQLCluster cluster, Optional<StatefulSet> there, List<Pod> pods) {
        this.cluster = cluster;
        this.spec = cluster.wanted();
        this.name = cluster.getMetadata().getName();
        this.there = there;
        this.pods = List.copyOf(pods);
        this.administered = ServerConfig.mayOpenAdministration(spec) && !runsWithoutAdministration();
        this.files = Suppliers.memoize(() -> files(administered));
        this.configName = Suppliers.memoize(() -> configName(files.get()));
    }

    /** Whether members run, or are to run, what is wanted but for the port for administration, and none with it. */
    private boolean runsWithoutAdministration() {
        List<RunServer> same = RunServer.all(there, pods)
                .filter(server -> server.image().equals(image()))
                .toList();
        return !same.isEmpty() && runs(same, configName(files(false))) && !runs(same, configName(files(true)));
    }

    private static boolean runs(List<RunServer> servers, String settings) {
        return servers.stream().anyMatch(server -> server.settings().contains(settings));
    }

    /** Of the servers, and of the Jobs that copy their data. */
    public String image() {
        return spec.image() != null
                ? spec.image()
                : "mysql:" + ServerVersion.of(spec.version()).text();
    }

    /** That has the root password. */
    public String rootSecret() {
        return Optional.ofNullable(spec.rootSecretRef()).map(SecretRef::name).orElse(ClusterNames.auth(name));
    }

    /**
     * The settings of this revision of the Pods. Others have others: a server that restarts before its turn must not
     * find those of the next.
     */
    public ConfigMap config() {
        return new ConfigMapBuilder()
                .withImmutable(true)
                .withNewMetadata()
                .withName(configName.get())
                .withNamespace(cluster.getMetadata().getNamespace())
                .withLabels(ClusterNames.labels(name))
                .endMetadata()
                .withData(files.get())
                .build();
    }

    private Map<String, String> files(boolean withAdministration) {
        Map<String, String> byName = new LinkedHashMap<>();
        byName.put(COMMON_FILE, ServerConfig.common(spec, withAdministration));
        for (int ordinal = 0; ordinal < MOST_MEMBERS; ordinal++) {
            String pod = ClusterNames.pod(name, ordinal);
            // A Pod finds itself by its name.
            byName.put(
                    pod + ".cnf",
                    ServerConfig.member(ordinal, withAdministration ? Optional.of(pod) : Optional.empty()));
        }
        return byName;
    }

    private String configName(Map<String, String> settings) {
        return ClusterNames.config(name, hash(settings.toString()));
    }

    /** Names every Pod, ready or not: members find each other by it. */
    public Service headless() {
        Service service = service(ClusterNames.headless(name));
        service.getSpec().setClusterIP("None");
        service.getSpec().setPublishNotReadyAddresses(true);
        return service;
    }

    /** To write. */
    public Service primary() {
        return service(primaryName(), ClusterNames.PRIMARY);
    }

    private String primaryName() {
        return name + "-primary";
    }

    /** To read. */
    public Service replicas() {
        return service(replicasName(), ClusterNames.REPLICA);
    }

    private String replicasName() {
        return name + "-replicas";
    }

    /** All that the certificate of the servers must hold for: members, as they find one another, and the Services. */
    public List<String> hosts() {
        String namespace = cluster.getMetadata().getNamespace();
        List<String> hosts = new ArrayList<>();
        for (int ordinal = 0; ordinal < MOST_MEMBERS; ordinal++) {
            hosts.add(ClusterNames.host(name, namespace, ClusterNames.pod(name, ordinal)));
        }
        for (String service : List.of(primaryName(), replicasName(), ClusterNames.headless(name))) {
            hosts.add(service);
            hosts.add(service + "." + namespace);
            hosts.add(service + "." + namespace + ".svc");
        }
        hosts.addAll(hosts.stream()
                .filter(host -> host.endsWith(".svc"))
                .map(host -> host + ".cluster.local")
                .toList());
        return hosts;
    }

    /** How large the volume of a new member is. */
    public static Quantity volumeSize(StatefulSet set) {
        return Objects.requireNonNull(set.getSpec()
                .getVolumeClaimTemplates()
                .get(0)
                .getSpec()
                .getResources()
                .getRequests()
                .get("storage"));
    }

    public StatefulSet statefulSet(int replicas) {
        Quantity size =
                there.map(ClusterObjects::volumeSize).orElse(spec.storage().size());
        StatefulSet set =
                fill(STATEFUL_SET, StatefulSet.class, Map.of("replicas", replicas, "storage", size.toString()));
        PodTemplateSpec template = podTemplate();
        if (AutoUpgrade.isToBeLeftOut(template, there, pods)) {
            AutoUpgrade.leaveOut(template);
        }
        if (DataFiles.areToBeLeftOut(template.getSpec(), there, pods)) {
            DataFiles.leaveOut(template.getSpec());
        }
        set.getSpec().setTemplate(template);
        set.getSpec()
                .getVolumeClaimTemplates()
                .get(0)
                .getSpec()
                .setStorageClassName(spec.storage().storageClassName());
        return set;
    }

    /** Independent servers, whose data goes with their Pods. */
    public Deployment deployment(int replicas) {
        Deployment deployment = fill(DEPLOYMENT, Deployment.class, Map.of("replicas", replicas));
        PodTemplateSpec template = podTemplate();
        AutoUpgrade.leaveOut(template);
        template.getSpec()
                .getVolumes()
                .add(new VolumeBuilder()
                        .withName("data")
                        .withNewEmptyDir()
                        .endEmptyDir()
                        .build());
        template.getSpec().getContainers().get(0).getVolumeMounts().removeIf(mount -> mount.getSubPathExpr() != null);
        deployment.getSpec().setTemplate(template);
        return deployment;
    }

    private PodTemplateSpec podTemplate() {
        Pod pod =
                fill(POD, Pod.class, Map.of("image", image(), "rootSecret", rootSecret(), "config", configName.get()));
        PodTemplate wanted = spec.podTemplate();
        ObjectMeta metadata = new ObjectMeta();
        Map<String, String> labels = new LinkedHashMap<>(wanted.labels());
        labels.putAll(pod.getMetadata().getLabels());
        Map<String, String> annotations = new LinkedHashMap<>(wanted.annotations());
        annotations.put(
                ClusterKeys.CONFIG_HASH.name(),
                hash(Objects.requireNonNull(files.get().get(COMMON_FILE))));
        metadata.setLabels(labels);
        metadata.setAnnotations(annotations);
        PodSpec podSpec = pod.getSpec();
        podSpec.setNodeSelector(wanted.nodeSelector());
        podSpec.setTolerations(wanted.tolerations());
        podSpec.setAffinity(wanted.affinity());
        podSpec.setTopologySpreadConstraints(
                wanted.topologySpreadConstraints().stream().map(this::ofMembers).toList());
        podSpec.setPriorityClassName(wanted.priorityClassName());
        podSpec.setImagePullSecrets(wanted.imagePullSecrets());
        Container server = podSpec.getContainers().get(0);
        server.setResources(spec.resources());
        if (administered) {
            server.getPorts()
                    .add(new ContainerPortBuilder()
                            .withName("mysql-admin")
                            .withContainerPort(Endpoint.ADMINISTRATION_PORT)
                            .withProtocol("TCP")
                            .build());
        }
        if (spec.mode() == Mode.Replicated && spec.tls().encrypts()) {
            addCertificate(podSpec);
        }
        if (spec.mode() == Mode.Replicated) {
            Migration.asked(cluster)
                    .map(outside -> outside.tls().caSecretRef())
                    .ifPresent(authorities -> Migration.mount(podSpec, authorities));
        }
        Exporter.asked(cluster).ifPresent(exporter -> Exporter.add(podSpec, cluster, exporter));
        if (DataFiles.areCopied(spec, image())) {
            DataFiles.add(podSpec, cluster, image());
        }
        podSpec.getContainers().addAll(wanted.containers());
        podSpec.getVolumes().addAll(wanted.volumes());
        return new PodTemplateSpecBuilder()
                .withMetadata(metadata)
                .withSpec(podSpec)
                .build();
    }

    /** The kubelet brings a new one: not into what is mounted by a subPath. */
    private void addCertificate(PodSpec pod) {
        pod.getContainers()
                .get(0)
                .getVolumeMounts()
                .add(new VolumeMountBuilder()
                        .withName(ClusterNames.CERTIFICATES)
                        .withMountPath(Encryption.FOLDER)
                        .withReadOnly(true)
                        .build());
        pod.getVolumes()
                .add(new VolumeBuilder()
                        .withName(ClusterNames.CERTIFICATES)
                        .withNewSecret()
                        .withSecretName(ClusterNames.tls(name))
                        .withDefaultMode(READABLE_BY_GROUP)
                        .endSecret()
                        .build());
    }

    /** One without a selector would be of no Pod. */
    private TopologySpreadConstraint ofMembers(TopologySpreadConstraint wanted) {
        return wanted.getLabelSelector() != null
                ? wanted
                : new TopologySpreadConstraintBuilder(wanted)
                        .withNewLabelSelector()
                        .withMatchLabels(ClusterNames.labels(name))
                        .endLabelSelector()
                        .build();
    }

    private Service service(String serviceName, String role) {
        Service service = service(serviceName);
        service.getSpec().getSelector().put(ClusterNames.ROLE, role);
        return service;
    }

    private Service service(String serviceName) {
        return fill(SERVICE, Service.class, Map.of("service", serviceName));
    }

    private <T extends HasMetadata> T fill(Template template, Class<T> type, Map<String, ?> values) {
        Map<String, Object> all = new HashMap<>(values);
        all.put("name", name);
        all.put("namespace", cluster.getMetadata().getNamespace());
        return template.fill(type, all);
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}

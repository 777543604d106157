package io.busbar.operator.mysqlcluster.simulation;

import io.busbar.common.internal.certificate.Pem;
import io.busbar.operator.mysqlcluster.access.Passwords;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.DataFiles;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the controller of StatefulSets and kubelets do: Pods come with a server each, whose data outlives them; {@link
 * SimulatedJobs} run here, too. For one thread.
 */
final class SimulatedNode {

    private static final int FIRST_ID = 100;

    private final InMemoryContext<?> objects;
    private final KnownObjects known;
    private final SimulatedServers servers;
    private final Map<String, Instant> downUntil = new HashMap<>();
    private final Set<String> lost = new HashSet<>();

    /** Nodes that are gone, by their Pods, and until when their Pods seem to be ready. */
    private final Map<String, Instant> seeming = new HashMap<>();

    /** Pods in which a container beside the server does not run. */
    private final Set<String> halfRunning = new HashSet<>();

    /** Of which no image can be pulled. */
    static final String MISSING_IMAGE = "no/such:image";

    /** Whether kubelets have not come yet to bring new certificates to Pods that run. */
    boolean lateFiles;

    private final SimulatedJobs jobs;

    SimulatedNode(InMemoryContext<?> objects, SimulatedServers servers) {
        this.objects = objects;
        this.known = new KnownObjects(objects);
        this.servers = servers;
        this.jobs = new SimulatedJobs(objects, known, servers);
    }

    /** A server ends, and is not there for a while, whatever becomes of its Pod. */
    void kill(String pod, Duration time) {
        servers.of(pod).stop();
        downUntil.put(pod, now().plus(time));
        if (!lost.contains(pod)) {
            told(pod(pod), false);
        }
    }

    void kill(String pod) {
        kill(pod, Duration.ofDays(1));
    }

    /**
     * A server and its Node end at once; for a while its Pod looks as if nothing had happened, and it stays there
     * whoever deletes it.
     */
    void loseNode(String pod, Duration unnoticed) {
        servers.of(pod).stop();
        downUntil.put(pod, now().plus(Duration.ofDays(1)));
        lost.add(pod);
        seeming.put(pod, now().plus(unnoticed));
    }

    /** A server ends; its Pod is made anew. */
    void deletePod(String pod) {
        if (!lost.contains(pod)) {
            servers.of(pod).stop();
            known.get(Pod.class, pod).ifPresent(objects::remove);
        }
    }

    void bringBack(String pod) {
        downUntil.remove(pod);
        lost.remove(pod);
        seeming.remove(pod);
        servers.of(pod).cutOff = false;
    }

    /** A Node goes on, but neither the operator nor the API server gets through to it; clients and replicas do. */
    void lose(String pod) {
        servers.of(pod).cutOff = true;
        lost.add(pod);
        ready(pod(pod), false);
    }

    /** A container beside the server ends, and does not come up again. */
    void endSidecar(String pod) {
        halfRunning.add(pod);
    }

    private boolean runsWhole(Pod pod) {
        return !halfRunning.contains(pod.getMetadata().getName())
                && pod.getSpec().getContainers().stream()
                        .noneMatch(container -> MISSING_IMAGE.equals(container.getImage()));
    }

    /** See {@link SimulatedJobs#backUp}. */
    String backUp(SimulatedServer source) {
        return jobs.backUp(source);
    }

    /** Jobs do not get done. */
    void holdJobs(boolean hold) {
        jobs.hold(hold);
    }

    /** See {@link SimulatedJobs#takeTime}. */
    void slowJobs(int seconds) {
        jobs.takeTime(seconds);
    }

    /** Jobs that are run from now on. */
    void failJobs(boolean fail) {
        jobs.fail(fail);
    }

    /** See {@link SimulatedJobs#breakOff}. */
    void breakJobsOff(int copies) {
        jobs.breakOff(copies);
    }

    boolean isBusy() {
        return !downUntil.isEmpty()
                || !lost.isEmpty()
                || !known.list(Job.class).isEmpty()
                || servers.all().stream().anyMatch(server -> server.physical != null);
    }

    /**
     * See {@link SimulatedJobs#breakArchive}.
     *
     * @param reason Gap or Fork
     */
    void breakArchive(String reason) {
        jobs.breakArchive(reason);
    }

    /** By their names. */
    List<String> jobs() {
        return known.list(Job.class).stream()
                .map(job -> job.getMetadata().getName())
                .toList();
    }

    static boolean isReady(Pod pod) {
        return pod.getStatus() != null && Readiness.isPodReady(pod);
    }

    void work() {
        downUntil.values().removeIf(time -> !time.isAfter(now()));
        seeming.entrySet().removeIf(pod -> {
            boolean due = !pod.getValue().isAfter(now());
            if (due) {
                known.get(Pod.class, pod.getKey()).ifPresent(there -> ready(there, false));
            }
            return due;
        });
        List<StatefulSet> sets = known.list(StatefulSet.class);
        sets.forEach(this::keep);
        letGo(sets);
        known.list(PersistentVolumeClaim.class).forEach(this::grow);
        jobs.run();
    }

    private Instant now() {
        return objects.clock().instant();
    }

    private Pod pod(String name) {
        return known.get(Pod.class, name).orElseThrow();
    }

    /** As the garbage collector does with the Pods of a set that was deleted without them. */
    private void letGo(List<StatefulSet> sets) {
        Set<String> there = sets.stream().map(set -> set.getMetadata().getUid()).collect(Collectors.toSet());
        for (Pod pod : known.list(Pod.class)) {
            if (pod.getMetadata()
                    .getOwnerReferences()
                    .removeIf(owner -> owner.getKind().equals("StatefulSet") && !there.contains(owner.getUid()))) {
                objects.put(pod);
            }
        }
    }

    private void adopt(StatefulSet set, Pod pod) {
        if (pod.getMetadata().getOwnerReferences().isEmpty()) {
            pod.getMetadata().setOwnerReferences(List.of(reference(set)));
            objects.put(pod);
        }
    }

    /** In the second after it is asked for. */
    private void grow(PersistentVolumeClaim claim) {
        Map<String, Quantity> wanted = claim.getSpec().getResources().getRequests();
        if (!wanted.equals(claim.getStatus().getCapacity())) {
            objects.put(new PersistentVolumeClaimBuilder(claim)
                    .editStatus()
                    .withCapacity(wanted)
                    .endStatus()
                    .build());
        }
    }

    private void keep(StatefulSet set) {
        String revision =
                "db-" + Integer.toHexString(set.getSpec().getTemplate().hashCode());
        StatefulSetStatus status = new StatefulSetStatusBuilder()
                .withObservedGeneration(set.getMetadata().getGeneration())
                .withUpdateRevision(revision)
                .build();
        if (!status.equals(set.getStatus())) {
            StatefulSet told = new StatefulSetBuilder(set).withStatus(status).build();
            // What is laid down anew is nobody's: the operator could not take a volume or a container away any more.
            PodSpec pod = set.getSpec().getTemplate().getSpec();
            if (ClusterNames.isEncrypted(pod) || pod.getContainers().size() > 1) {
                objects.putStatus(told);
            } else {
                objects.put(told);
            }
        }
        int replicas = set.getSpec().getReplicas();
        for (Pod pod : known.list(Pod.class)) {
            int ordinal =
                    ClusterNames.ordinal("db", pod.getMetadata().getName()).orElse(-1);
            if (ordinal >= 0
                    && !lost.contains(pod.getMetadata().getName())
                    && (pod.isMarkedForDeletion() || ordinal >= replicas)) {
                servers.of(pod.getMetadata().getName()).stop();
                objects.remove(pod);
            }
        }
        for (int ordinal = 0; ordinal < replicas; ordinal++) {
            String name = ClusterNames.pod("db", ordinal);
            Optional<Pod> there = known.get(Pod.class, name);
            if (there.isEmpty()) {
                create(set, ordinal, revision);
            } else {
                adopt(set, there.get());
            }
            if (!lost.contains(name)) {
                runServer(name);
            }
        }
    }

    private void create(StatefulSet set, int ordinal, String revision) {
        String name = ClusterNames.pod("db", ordinal);
        Map<String, String> labels =
                new LinkedHashMap<>(set.getSpec().getTemplate().getMetadata().getLabels());
        labels.put("controller-revision-hash", revision);
        objects.put(new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .withUid("uid-" + name + "-" + now())
                .withLabels(labels)
                .withCreationTimestamp(now().toString())
                .withOwnerReferences(reference(set))
                .endMetadata()
                .withSpec(spec(set, name))
                .withNewStatus()
                .withPodIP(SimulatedCluster.endpoint(ordinal).host())
                .endStatus()
                .build());
        claim(set, name);
        servers.all().stream().filter(server -> server.pod.equals(name)).forEach(SimulatedServer::isMadeAnew);
        if (servers.all().stream().noneMatch(server -> server.pod.equals(name))) {
            servers.add(name, SimulatedCluster.endpoint(ordinal), FIRST_ID + ordinal);
        }
    }

    private static OwnerReference reference(StatefulSet set) {
        return new OwnerReferenceBuilder()
                .withKind("StatefulSet")
                .withName("db")
                .withUid(set.getMetadata().getUid())
                .withController(true)
                .build();
    }

    /** Has the labels of the selector, as the controller of StatefulSets gives them, and stays when its Pod goes. */
    private void claim(StatefulSet set, String pod) {
        for (PersistentVolumeClaim template : set.getSpec().getVolumeClaimTemplates()) {
            String name = template.getMetadata().getName() + "-" + pod;
            if (known.get(PersistentVolumeClaim.class, name).isEmpty()) {
                objects.put(new PersistentVolumeClaimBuilder(template)
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace("default")
                        .withLabels(set.getSpec().getSelector().getMatchLabels())
                        .endMetadata()
                        .withNewStatus()
                        .withPhase("Bound")
                        .withCapacity(template.getSpec().getResources().getRequests())
                        .endStatus()
                        .build());
            }
        }
    }

    private static PodSpec spec(StatefulSet set, String pod) {
        PodSpecBuilder spec = new PodSpecBuilder(set.getSpec().getTemplate().getSpec()).withNodeName("node-0");
        set.getSpec()
                .getVolumeClaimTemplates()
                .forEach(claim -> spec.addNewVolume()
                        .withName(claim.getMetadata().getName())
                        .withNewPersistentVolumeClaim(claim.getMetadata().getName() + "-" + pod, false)
                        .endVolume());
        return spec.build();
    }

    private void runServer(String name) {
        SimulatedServer server = servers.of(name);
        boolean encrypted = ClusterNames.isEncrypted(pod(name).getSpec());
        server.files = encrypted && !lateFiles ? certificate() : server.files;
        if (!server.up && !downUntil.containsKey(name) && !server.isTakingFiles()) {
            server.endpoint = new Endpoint(server.endpoint.host(), server.endpoint.port(), encrypted);
            server.start();
            // As the image makes a new data folder.
            known.get(Secret.class, "db-auth")
                    .flatMap(secret -> Passwords.value(secret, Passwords.ROOT_KEY))
                    .ifPresent(password -> server.passwords.putIfAbsent("root", Set.of(password)));
        }
        if (isReady(pod(name)) != (server.up && runsWhole(pod(name)))
                || DataFiles.areTakenSince(pod(name)).isPresent() != server.isTakingFiles()
                || pod(name).getStatus().getContainerStatuses().isEmpty()) {
            told(pod(name), server.up);
        }
    }

    /** What a Pod that begins now finds. */
    private X509Certificate certificate() {
        try {
            String encoded =
                    known.get(Secret.class, "db-tls").orElseThrow().getData().get("tls.crt");
            return Pem.certificates(new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8))
                    .get(0);
        } catch (CertificateException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    /** By its kubelet, which knows whether the server runs. */
    private void told(Pod pod, boolean runs) {
        List<ContainerStatus> all = pod.getSpec().getContainers().stream()
                .map(container -> status(container, runs, now()))
                .toList();
        List<ContainerStatus> first = pod.getSpec().getInitContainers().stream()
                .map(container -> status(
                        container, servers.of(pod.getMetadata().getName()).isTakingFiles(), now()))
                .toList();
        ready(
                new PodBuilder(pod)
                        .editStatus()
                        .withInitContainerStatuses(first)
                        .withContainerStatuses(all)
                        .endStatus()
                        .build(),
                runs && runsWhole(pod));
    }

    private static ContainerStatus status(Container container, boolean runs, Instant now) {
        ContainerState state = runs
                ? new ContainerStateBuilder().withNewRunning(now.toString()).build()
                : new ContainerStateBuilder().withNewWaiting().endWaiting().build();
        return new ContainerStatusBuilder()
                .withName(container.getName())
                .withState(state)
                .build();
    }

    private void ready(Pod pod, boolean ready) {
        objects.put(new PodBuilder(pod)
                .editStatus()
                .withConditions()
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready ? "True" : "False")
                .withLastTransitionTime(now().toString())
                .endCondition()
                .endStatus()
                .build());
    }
}

package io.busbar.operator.mysqlcluster.simulation;

import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the controller of StatefulSets and kubelets do: Pods come with a server each, whose data outlives them; {@link
 * SimulatedJobs} run here, too. For one thread.
 */
final class SimulatedNode {

    private static final int FIRST_ID = 100;

    private final InMemoryContext<?> objects;
    private final SimulatedServers servers;
    private final Map<String, Instant> downUntil = new HashMap<>();
    private final Set<String> lost = new HashSet<>();

    /** Nodes that are gone, by their Pods, and until when their Pods seem to be ready. */
    private final Map<String, Instant> seeming = new HashMap<>();

    private final SimulatedJobs jobs;

    SimulatedNode(InMemoryContext<?> objects, SimulatedServers servers) {
        this.objects = objects;
        this.servers = servers;
        this.jobs = new SimulatedJobs(objects, servers);
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
            objects.get(Pod.class, pod).ifPresent(objects::remove);
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
                || !objects.list(Job.class).isEmpty();
    }

    /** By their names. */
    List<String> jobs() {
        return objects.list(Job.class).stream()
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
                objects.get(Pod.class, pod.getKey()).ifPresent(known -> ready(known, false));
            }
            return due;
        });
        objects.list(StatefulSet.class).forEach(this::keep);
        jobs.run();
    }

    private Instant now() {
        return objects.clock().instant();
    }

    private Pod pod(String name) {
        return objects.get(Pod.class, name).orElseThrow();
    }

    private void keep(StatefulSet set) {
        String revision =
                "db-" + Integer.toHexString(set.getSpec().getTemplate().hashCode());
        StatefulSetStatus status = new StatefulSetStatusBuilder()
                .withObservedGeneration(set.getMetadata().getGeneration())
                .withUpdateRevision(revision)
                .build();
        if (!status.equals(set.getStatus())) {
            objects.put(new StatefulSetBuilder(set).withStatus(status).build());
        }
        int replicas = set.getSpec().getReplicas();
        for (Pod pod : objects.list(Pod.class)) {
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
            if (objects.get(Pod.class, name).isEmpty()) {
                create(set, ordinal, revision);
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
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withKind("StatefulSet")
                        .withName("db")
                        .withUid(set.getMetadata().getUid())
                        .withController(true)
                        .build())
                .endMetadata()
                .withSpec(spec(set, name))
                .withNewStatus()
                .withPodIP(SimulatedCluster.endpoint(ordinal).host())
                .endStatus()
                .build());
        claim(set, name);
        if (servers.all().stream().noneMatch(server -> server.pod.equals(name))) {
            servers.add(name, SimulatedCluster.endpoint(ordinal), FIRST_ID + ordinal);
        }
    }

    /** Has the labels of the selector, as the controller of StatefulSets gives them, and stays when its Pod goes. */
    private void claim(StatefulSet set, String pod) {
        for (PersistentVolumeClaim template : set.getSpec().getVolumeClaimTemplates()) {
            String name = template.getMetadata().getName() + "-" + pod;
            if (objects.get(PersistentVolumeClaim.class, name).isEmpty()) {
                objects.put(new PersistentVolumeClaimBuilder(template)
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace("default")
                        .withLabels(set.getSpec().getSelector().getMatchLabels())
                        .endMetadata()
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
        if (!server.up && !downUntil.containsKey(name)) {
            server.start();
        }
        if (isReady(pod(name)) != server.up
                || pod(name).getStatus().getContainerStatuses().isEmpty()) {
            told(pod(name), server.up);
        }
    }

    /** By its kubelet, which knows whether the server runs. */
    private void told(Pod pod, boolean runs) {
        ContainerState state = runs
                ? new ContainerStateBuilder().withNewRunning().endRunning().build()
                : new ContainerStateBuilder().withNewWaiting().endWaiting().build();
        ready(
                new PodBuilder(pod)
                        .editStatus()
                        .withContainerStatuses(new ContainerStatusBuilder()
                                .withName(ClusterNames.CONTAINER)
                                .withState(state)
                                .build())
                        .endStatus()
                        .build(),
                runs);
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

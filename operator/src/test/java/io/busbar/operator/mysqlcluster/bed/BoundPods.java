package io.busbar.operator.mysqlcluster.bed;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives each Pod that is bound to the Node a runner, for as long as the Pod is there. Its handlers come on the
 * informer's thread.
 */
final class BoundPods implements ResourceEventHandler<Pod> {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private record Running(PodRunner runner, Thread thread) {}

    private final ContainerPlans plans;
    private final PodStatuses statuses;
    private final Path enter;
    private final Map<String, Running> byUid = new ConcurrentHashMap<>();
    private final Map<String, DatabasePod> steering = new ConcurrentHashMap<>();
    private final SharedIndexInformer<Pod> informer;

    BoundPods(KubernetesClient client, String node, ContainerPlans plans, Path enter) {
        this.plans = plans;
        this.statuses = new PodStatuses(client);
        this.enter = enter;
        this.informer = client.pods()
                .inAnyNamespace()
                .withField("spec.nodeName", node)
                .runnableInformer(0)
                .addEventHandler(this);
    }

    void start() {
        informer.run();
    }

    DatabasePod steering(String namespace, String name) {
        return steering.computeIfAbsent(namespace + "/" + name, key -> new DatabasePod(key, plans.addresses()));
    }

    @Override
    public void onAdd(Pod pod) {
        Running running = byUid.computeIfAbsent(pod.getMetadata().getUid(), uid -> running(pod));
        look(running, pod);
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
        if (!before.getMetadata().getUid().equals(pod.getMetadata().getUid())) {
            onDelete(before, false);
        }
        onAdd(pod);
    }

    @Override
    public void onDelete(Pod pod, boolean unknownState) {
        Running gone = byUid.remove(pod.getMetadata().getUid());
        if (gone != null) {
            gone.runner().gone();
        }
    }

    private static void look(Running running, Pod pod) {
        if (pod.isMarkedForDeletion()) {
            Long grace = pod.getMetadata().getDeletionGracePeriodSeconds();
            running.runner().deleted(Duration.ofSeconds(grace == null ? 0 : grace));
        }
    }

    private Running running(Pod pod) {
        String namespace = pod.getMetadata().getNamespace();
        Addresses.Address address = plans.addresses().of(owner(pod));
        DatabasePod steering = steering(namespace, pod.getMetadata().getName());
        steering.isAt(address.ip());
        PodRunner runner = new PodRunner(pod, plans, statuses, address, steering, enter);
        Thread thread = new Thread(runner, namespace + "/" + pod.getMetadata().getName());
        thread.setDaemon(true);
        thread.start();
        return new Running(runner, thread);
    }

    /** The claim that its data are on, so that a Pod's successor has its address; else the Pod itself. */
    private static String owner(Pod pod) {
        Optional<String> data = ServerImage.container(pod).getVolumeMounts().stream()
                .filter(mount -> mount.getMountPath().equals(ServerImage.DATA))
                .map(VolumeMount::getName)
                .findFirst();
        return pod.getSpec().getVolumes().stream()
                .filter(volume -> data.filter(volume.getName()::equals).isPresent())
                .map(Volume::getPersistentVolumeClaim)
                .filter(claim -> claim != null)
                .map(claim -> pod.getMetadata().getNamespace() + "/" + claim.getClaimName())
                .findFirst()
                .orElse(pod.getMetadata().getUid());
    }

    /** Ends all that runs, and removes its Pods, which have no Node any more. */
    void stop() throws InterruptedException {
        informer.close();
        steering.values().forEach(DatabasePod::returnNode);
        byUid.values().forEach(running -> running.runner().gone());
        for (Running running : byUid.values()) {
            running.thread().join(PATIENCE.toMillis());
            running.thread().interrupt();
            running.thread().join();
        }
    }
}

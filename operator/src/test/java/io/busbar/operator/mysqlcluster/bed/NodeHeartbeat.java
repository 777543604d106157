package io.busbar.operator.mysqlcluster.bed;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Node that is ready until it is stopped: its Lease is renewed, which is what the cluster goes by, and its condition
 * set right when the cluster has given it up. A thread of its own.
 */
final class NodeHeartbeat {

    private static final Logger log = LoggerFactory.getLogger(NodeHeartbeat.class);

    private static final String LEASES = "kube-node-lease";
    private static final int LEASE_SECONDS = 40;
    private static final int PERIOD_SECONDS = 5;
    private static final Map<String, Quantity> ROOM = Map.of(
            "cpu", new Quantity("64"),
            "memory", new Quantity("256Gi"),
            "pods", new Quantity("1000"),
            "ephemeral-storage", new Quantity("1Ti"));

    private final KubernetesClient client;
    private final String name;
    private final String address;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "heartbeat");
        thread.setDaemon(true);
        return thread;
    });

    NodeHeartbeat(KubernetesClient client, String name, String address) {
        this.client = client;
        this.name = name;
        this.address = address;
    }

    /** The Lease comes first, lest somebody else takes the Node for theirs. */
    void start() {
        Lease lease = client.resource(lease()).create();
        Node node = client.resource(node()).create();
        client.resource(lease)
                .edit(stored -> new LeaseBuilder(stored)
                        .editMetadata()
                        .withOwnerReferences(new OwnerReferenceBuilder()
                                .withApiVersion("v1")
                                .withKind("Node")
                                .withName(name)
                                .withUid(node.getMetadata().getUid())
                                .build())
                        .endMetadata()
                        .build());
        beReady();
        var unused = timer.scheduleWithFixedDelay(this::beat, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
    }

    private void beat() {
        try {
            client.leases()
                    .inNamespace(LEASES)
                    .withName(name)
                    .edit(stored -> new LeaseBuilder(stored)
                            .editSpec()
                            .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC))
                            .endSpec()
                            .build());
            boolean ready = client.nodes().withName(name).require().getStatus().getConditions().stream()
                    .anyMatch(condition -> condition.getType().equals("Ready")
                            && condition.getStatus().equals("True"));
            if (!ready) {
                beReady();
            }
        } catch (KubernetesClientException unavailable) {
            log.atWarn().setCause(unavailable).addKeyValue("name", name).log("no heartbeat of a Node, will retry");
        }
    }

    /** Whatever the controllers of Nodes write meanwhile. */
    private void beReady() {
        String status = Serialization.asJson(
                Map.of("status", Map.of("capacity", ROOM, "allocatable", ROOM, "conditions", conditions())));
        client.nodes().withName(name).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), status);
    }

    private static List<NodeCondition> conditions() {
        return List.of(
                condition("MemoryPressure", "False", "KubeletHasSufficientMemory"),
                condition("DiskPressure", "False", "KubeletHasNoDiskPressure"),
                condition("PIDPressure", "False", "KubeletHasSufficientPID"),
                condition("Ready", "True", "KubeletReady"));
    }

    private static NodeCondition condition(String type, String status, String reason) {
        return new NodeConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .withLastHeartbeatTime(ContainerHistory.now())
                .withLastTransitionTime(ContainerHistory.now())
                .build();
    }

    private Lease lease() {
        return new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(LEASES)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(name)
                .withLeaseDurationSeconds(LEASE_SECONDS)
                .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC))
                .endSpec()
                .build();
    }

    private Node node() {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("kubernetes.io/hostname", name)
                .addToLabels("kubernetes.io/os", "linux")
                .endMetadata()
                .withNewSpec()
                .addNewTaint(DatabaseNode.TAINT_EFFECT, DatabaseNode.TAINT, null, null)
                .endSpec()
                .withNewStatus()
                .withCapacity(ROOM)
                .withAllocatable(ROOM)
                .addNewAddress(address, "InternalIP")
                .addNewAddress(name, "Hostname")
                .withConditions(conditions())
                .endStatus()
                .build();
    }

    void stop() throws InterruptedException {
        timer.shutdownNow();
        boolean ignored = timer.awaitTermination(PERIOD_SECONDS, TimeUnit.SECONDS);
        client.nodes().withName(name).delete();
        client.leases().inNamespace(LEASES).withName(name).delete();
    }
}

package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.sidecarset.v1beta1.SidecarSetStatus;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar itself, as a process that is killed. */
@EndToEnd
@Order(EndToEnd.LONG)
class CrashIT {

    private static final int PODS = 10;

    private final Cluster cluster;
    private Process operator;

    @TempDir
    private Path folder;

    CrashIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void runs_the_jar_in_place_of_the_operator_in_this_jvm() throws IOException {
        cluster.running().stopOperator();
        operator = start();
    }

    @AfterEach
    void goes_back_to_the_operator_in_this_jvm() {
        operator.destroyForcibly();
        cluster.running().startOperator();
    }

    @Test
    void converges_after_a_kill_in_the_middle_of_a_roll_and_touches_no_pod_twice() throws Exception {
        cluster.createSetOnceServed(SidecarSets.oneSidecar("crash", "example/proxy:1", ""));
        IntStream.range(0, PODS).forEach(i -> cluster.createPod("crash-" + i, "crash"));
        cluster.eventually(() -> assertThat(status().updatedReadyPods()).isEqualTo(PODS));

        try (Seen<Pod> pods = cluster.follow(Pod.class)) {
            // Half of them are kept back, so that there is something left to do however late the kill comes.
            cluster.writeSet(SidecarSets.oneSidecar(
                    "crash", "example/proxy:2", "updateStrategy: {partition: " + PODS / 2 + "}\n"));
            pods.await(2, pod -> image(pod).equals("example/proxy:2"));
            operator.destroyForcibly().waitFor();
        }
        operator = start();
        cluster.eventually(() -> cluster.writeSet(SidecarSets.oneSidecar("crash", "example/proxy:2", "")));

        cluster.eventually(() -> assertThat(status().updatedReadyPods()).isEqualTo(PODS));
        assertThat(restarts()).as("restarts of each sidecar").containsOnly(1);
    }

    @Test
    void stops_in_order_when_it_is_asked_to() throws Exception {
        cluster.createSetOnceServed(SidecarSets.oneSidecar("terminate", "example/proxy:1", ""));
        operator.destroy();
        assertThat(operator.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(operator.exitValue()).isZero();
    }

    private SidecarSetStatus status() {
        SidecarSetStatus status = cluster.set("crash").getStatus();
        assertThat(status).isNotNull();
        return status;
    }

    /** Of the sidecar. */
    private static String image(Pod pod) {
        return pod.getSpec().getContainers().get(0).getImage();
    }

    private List<Integer> restarts() {
        return cluster.pods("crash").stream().map(CrashIT::restartsOfSidecar).toList();
    }

    private static int restartsOfSidecar(Pod pod) {
        return pod.getStatus().getContainerStatuses().stream()
                .filter(container -> container.getName().equals("crash-proxy"))
                .mapToInt(ContainerStatus::getRestartCount)
                .sum();
    }

    private Process start() throws IOException {
        return OperatorProcess.start(cluster.running(), folder.resolve("operator.log"));
    }
}

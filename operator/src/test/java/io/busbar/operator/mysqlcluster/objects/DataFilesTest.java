package io.busbar.operator.mysqlcluster.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The containers by which servers of MariaDB copy data files. */
class DataFilesTest {

    @Test
    void servers_of_MariaDB_have_them_unless_their_author_uses_the_port() {
        PodSpec pod = pod("image: registry.example.com/MariaDB:11.4\n");

        assertThat(copiers(pod)).containsExactly(DataFiles.TAKES, DataFiles.GIVES);
        assertThat(DataFiles.areTaken(pod)).isTrue();
        assertThat(pod.getInitContainers().get(0).getImage()).isEqualTo("registry.example.com/MariaDB:11.4");
        assertThat(pod.getInitContainers().get(0).getEnv())
                .isNotEmpty()
                .isEqualTo(pod.getContainers().get(1).getEnv());
        for (String spec : List.of(
                "image: mysql:8.4",
                "image: mariadb:10.11\nmode: Simple",
                "image: mariadb:10.11\n"
                        + "podTemplate: {containers: [{name: proxy, image: proxy:1, ports: [{containerPort: 4444}]}]}",
                "image: mariadb:10.11\nmetrics: {exporter: {port: 4444}}")) {
            assertThat(copiers(pod(spec + "\n"))).as(spec).isEmpty();
        }
    }

    @Test
    void they_have_the_certificate_of_the_server_and_what_their_author_gives_them() {
        String spec = """
                image: mariadb:10.11
                tls: {mode: Preferred}
                replication: {copyResources: {limits: {memory: 300Mi}}}
                """;

        PodSpec pod = pod(spec);

        assertThat(List.of(pod.getInitContainers().get(0), pod.getContainers().get(1)))
                .allSatisfy(container -> {
                    assertThat(container.getVolumeMounts())
                            .extracting(VolumeMount::getMountPath)
                            .contains("/etc/mysql/tls");
                    assertThat(container.getResources().getLimits().get("memory"))
                            .isEqualTo(new Quantity("300Mi"));
                });
    }

    /** Where the namespace asks for bounds, and for a Pod that is to be of the class Guaranteed. */
    @Test
    void they_are_bounded_where_the_server_is() {
        String spec = """
                image: mariadb:10.11
                resources: {requests: {cpu: '4', memory: 100Mi}, limits: {memory: 100Mi, ephemeral-storage: 1Gi}}
                """;

        PodSpec pod = pod(spec);

        assertThat(pod.getInitContainers().get(0).getResources())
                .isEqualTo(pod.getContainers().get(0).getResources());
        ResourceRequirements beside = pod.getContainers().get(1).getResources();
        assertThat(beside.getRequests())
                .isEqualTo(Map.of("cpu", new Quantity("200m"), "memory", new Quantity("100Mi")));
        assertThat(beside.getLimits()).isEqualTo(Map.of("memory", new Quantity("100Mi")));
        assertThat(pod("image: mariadb:10.11\n").getContainers().get(1).getResources())
                .isNull();
    }

    @Test
    void members_that_were_made_without_them_are_not_restarted_for_them_alone() {
        StatefulSet older = set("image: mariadb:10.11\n", Optional.empty());
        DataFiles.leaveOut(older.getSpec().getTemplate().getSpec());

        assertThat(set("image: mariadb:10.11\nsize: 5\n", Optional.of(older))
                        .getSpec()
                        .getTemplate())
                .isEqualTo(older.getSpec().getTemplate());
        assertThat(copiers(pod(set("image: mariadb:11.4\n", Optional.of(older)))))
                .as("with another image")
                .hasSize(2);
    }

    private static StatefulSet set(String spec, Optional<StatefulSet> there) {
        return new ClusterObjects(TestClusters.cluster(spec), there, List.of()).statefulSet(1);
    }

    private static PodSpec pod(StatefulSet set) {
        return set.getSpec().getTemplate().getSpec();
    }

    private static PodSpec pod(String spec) {
        return pod(set(spec, Optional.empty()));
    }

    private static List<String> copiers(PodSpec pod) {
        return Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream())
                .map(Container::getName)
                .filter(name -> name.endsWith("data-files"))
                .toList();
    }
}

package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.objects.Migration;
import io.busbar.operator.mysqlcluster.observe.Fleet;
import io.busbar.operator.mysqlcluster.observe.PodAddressing;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberRole;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Whom a backup is taken from: the replica with the least lag, or the primary when no replica keeps up.
 *
 * <p>Immutable.
 *
 * @param name of its Pod
 * @param primary whose transactions a replica waits for before it gives a backup; empty for the primary itself, and
 *     where none is known
 */
record Source(String name, Endpoint endpoint, Optional<Endpoint> primary) {

    /**
     * By what was told of the cluster last.
     *
     * @param pods by name
     */
    static Optional<Source> of(MySQLCluster cluster, PodAddressing addressing, Function<String, Optional<Pod>> pods) {
        long mostLag = cluster.wanted().replication().maxLagSeconds();
        Stream<MemberStatus> replicas = cluster.told().members().stream()
                .filter(member -> member.role() == MemberRole.Replica && member.sqlRunning())
                .filter(member -> member.lagSeconds() != null && member.lagSeconds() <= mostLag)
                .sorted(Comparator.comparing((MemberStatus member) -> Objects.requireNonNull(member.lagSeconds()))
                        .thenComparing(MemberStatus::name));
        Optional<MemberStatus> primary = cluster.told().members().stream()
                .filter(member -> member.role() == MemberRole.Primary)
                .findFirst();
        Stream<MemberStatus> serving =
                primary.filter(member -> !member.readOnly() || Migration.isUnderWay(cluster)).stream();
        Function<Pod, Optional<Endpoint>> endpoints =
                pod -> Fleet.endpoint(cluster.getMetadata().getName(), pod, addressing);
        Function<String, Optional<Endpoint>> ahead = source -> primary.map(MemberStatus::name)
                .filter(name -> !name.equals(source))
                .flatMap(pods)
                .flatMap(endpoints);
        return Stream.concat(replicas, serving)
                .map(MemberStatus::name)
                .flatMap(name -> pods.apply(name).stream())
                .filter(pod -> !pod.isMarkedForDeletion() && pod.getStatus() != null && Readiness.isPodReady(pod))
                .flatMap(pod -> endpoints.apply(pod).stream()
                        .map(endpoint -> new Source(
                                pod.getMetadata().getName(),
                                endpoint,
                                ahead.apply(pod.getMetadata().getName()))))
                .findFirst();
    }
}

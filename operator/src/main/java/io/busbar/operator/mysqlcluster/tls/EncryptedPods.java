package io.busbar.operator.mysqlcluster.tls;

import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.PerCluster;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.observe.Obstacle;
import io.busbar.operator.mysqlcluster.sql.ClusterCertificate;
import io.busbar.operator.mysqlcluster.sql.Encryption;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * When Pods may get certificates, and when they may be without. Nothing that must not be forgotten is remembered: the
 * next operator asks the servers first. Any thread, one at a time for each cluster.
 */
public final class EncryptedPods {

    private final Certificates certificates;
    private final PerCluster<Boolean> unasked = new PerCluster<>();

    public EncryptedPods(Certificates certificates) {
        this.certificates = certificates;
    }

    /**
     * How things stand with a cluster.
     *
     * <p>Immutable.
     *
     * @param certificate by which servers are verified; empty where there is none, or it is not needed
     * @param mayChangePods whether those that are made from now on may be as the cluster asks for it
     * @param obstacle why there is no certificate, or no newer one
     */
    public record Encrypted(
            Optional<ClusterCertificate> certificate, boolean mayChangePods, Optional<Obstacle> obstacle) {}

    /** @param pods of the cluster */
    public Encrypted of(MySQLCluster cluster, List<Pod> pods, ReconcileContext<MySQLCluster> context) {
        if (cluster.wanted().tls().encrypts()) {
            Optional<ClusterCertificate> certificate = certificates.of(cluster, context);
            return new Encrypted(certificate, certificate.isPresent(), certificates.obstacle(cluster));
        }
        boolean isAnyEncrypted = pods.stream().anyMatch(pod -> ClusterNames.isEncrypted(pod.getSpec()));
        return new Encrypted(
                isAnyEncrypted ? certificates.of(cluster, context) : Optional.empty(),
                mayGoWithout(cluster, context),
                Optional.empty());
    }

    /**
     * Not as long as a server may ask the operator for TLS, which would not get into it any more. Its accounts are kept
     * with its data, so all have to answer first.
     */
    private boolean mayGoWithout(MySQLCluster cluster, ReconcileContext<MySQLCluster> context) {
        return context.owned(StatefulSet.class).stream()
                        .noneMatch(set -> ClusterNames.isEncrypted(
                                set.getSpec().getTemplate().getSpec()))
                || unasked.of(cluster).isPresent();
    }

    /** At the end of a turn. */
    public void remember(MySQLCluster cluster, Observation seen, ReconcileContext<MySQLCluster> context) {
        if (isAnsweredByAll(seen, encryption -> !encryption.isAsked())) {
            unasked.remember(cluster, true, context.lister(MySQLCluster.class));
        } else {
            unasked.forget(cluster);
        }
        if (isAnsweredByAll(seen, Encryption::isCurrent)) {
            certificates.settle(cluster, context);
        }
    }

    private static boolean isAnsweredByAll(Observation seen, Predicate<Encryption> answer) {
        return seen.members().all().stream()
                .allMatch(member -> member.reachable()
                        && (!member.isEncrypted()
                                || member.encryption().filter(answer).isPresent()));
    }

    /** Of a cluster that another operator may have worked on meanwhile. */
    public void forget(MySQLCluster cluster) {
        unasked.forget(cluster);
    }
}

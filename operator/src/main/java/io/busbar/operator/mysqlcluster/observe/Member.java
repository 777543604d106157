package io.busbar.operator.mysqlcluster.observe;

import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.sql.Disk;
import io.busbar.operator.mysqlcluster.sql.Encryption;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Load;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.sql.StoppedEvents;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.Optional;

/**
 * One server of a cluster, at one moment.
 *
 * <p>Immutable, but for the Pod.
 *
 * @param name of its Pod
 * @param pod empty while there is none
 * @param endpoint empty while it has no address
 * @param state what it says of itself; empty when it cannot be asked
 * @param failure why not
 * @param disk that its data is on, when all members were last looked at; empty where it cannot tell
 * @param load when all members were last looked at; empty where it does not tell
 * @param events that it does not run, when all members were last looked at; empty where it was not asked
 * @param encryption how it encrypts, when all members were last looked at; empty without TLS
 */
public record Member(
        int ordinal,
        String name,
        Optional<Pod> pod,
        Optional<Endpoint> endpoint,
        Optional<ServerState> state,
        Optional<SqlFailure> failure,
        Optional<Disk> disk,
        Optional<Load> load,
        Optional<StoppedEvents> events,
        Optional<Encryption> encryption) {

    /** As it has answered now. */
    Member with(ServerState now) {
        return new Member(
                ordinal, name, pod, endpoint, Optional.of(now), Optional.empty(), disk, load, events, encryption);
    }

    Member with(
            Optional<Disk> disk, Optional<Load> load, Optional<StoppedEvents> events, Optional<Encryption> encryption) {
        return new Member(ordinal, name, pod, endpoint, state, failure, disk, load, events, encryption);
    }

    Member failed(SqlFailure why) {
        return new Member(
                ordinal, name, pod, endpoint, Optional.empty(), Optional.of(why), disk, load, events, encryption);
    }

    /** With its Pod as it is now. */
    public Member with(Pod now) {
        return new Member(ordinal, name, Optional.of(now), endpoint, state, failure, disk, load, events, encryption);
    }

    /** With what the same server has answered before. */
    Member asSeen(Member before) {
        return new Member(
                ordinal,
                name,
                pod,
                endpoint,
                before.state,
                before.failure,
                before.disk,
                before.load,
                before.events,
                before.encryption);
    }

    /** Whether its server was started with a certificate. */
    public boolean isEncrypted() {
        return pod.filter(one -> ClusterNames.isEncrypted(one.getSpec())).isPresent();
    }

    /** Whether its server does not let the operator in. */
    public boolean isDenied() {
        return failure.filter(why -> why.kind() == SqlFailure.Kind.DENIED).isPresent();
    }

    public boolean reachable() {
        return state.isPresent();
    }

    /** As its kubelet sees it. */
    public boolean podReady() {
        return pod.filter(one -> one.getStatus() != null && Readiness.isPodReady(one))
                .isPresent();
    }

    /**
     * Whether it is known that its server does not run: it has no Pod, or the kubelet says so. Of one on a Node that is
     * lost or cut off nobody knows; it may go on.
     */
    public boolean isDown() {
        PodStatus status = pod.map(Pod::getStatus).orElse(null);
        return pod.isEmpty()
                || (status != null
                        && (hasEnded(status)
                                || status.getContainerStatuses().stream()
                                        .anyMatch(one -> one.getName().equals(ClusterNames.CONTAINER)
                                                && (one.getState() == null
                                                        || one.getState().getRunning() == null))));
    }

    private static boolean hasEnded(PodStatus status) {
        return "Failed".equals(status.getPhase()) || "Succeeded".equals(status.getPhase());
    }

    public boolean isLeaving() {
        return pod.filter(Pod::isMarkedForDeletion).isPresent();
    }

    /** Of its Pod, and so another one when it is made again; its name where there is no Pod. */
    public String uid() {
        return pod.map(one -> one.getMetadata().getUid()).orElse(name());
    }

    public boolean isWritable() {
        return state.filter(server -> !server.readOnly()).isPresent();
    }

    public boolean isBlank() {
        return state.filter(ServerState::isBlank).isPresent();
    }

    /**
     * Whether it has only part of what it is being given: it must neither be written to nor read from, and nobody may
     * be given what it has.
     */
    public boolean isIncomplete() {
        return state.filter(ServerState::incomplete).isPresent();
    }

    public Optional<Replication> replication() {
        return state.flatMap(ServerState::replication);
    }

    /** Whether its replicas are told to go there. */
    public boolean isAt(Endpoint where) {
        return endpoint.filter(own -> own.equals(where)
                        || (hasAdministrationPort() && own.forAdministration().equals(where)))
                .isPresent();
    }

    /** Whether its server was started with one. */
    public boolean hasAdministrationPort() {
        return pod.filter(one -> ClusterNames.hasAdministrationPort(one.getSpec()))
                .isPresent();
    }

    /** How it follows that one, whether or not anything comes from there; empty where it does not. */
    public Optional<Replication> replicationFrom(Member source) {
        return replication().filter(one -> source.isAt(one.source()));
    }

    /** Whether it receives and applies what another writes. */
    public boolean isFollowing(Member source) {
        return replicationFrom(source)
                .filter(one -> one.io() == Replication.Io.YES && one.sqlRunning())
                .isPresent();
    }

    /** Whether it follows another, or is about to: connecting takes a moment. */
    public boolean isFollowingOrConnecting(Member source) {
        return replicationFrom(source)
                .filter(one -> one.io() != Replication.Io.NO && one.sqlRunning())
                .isPresent();
    }

    /** Whether it receives what another writes, applied or not, and so acknowledges it. */
    boolean isReceivingFrom(Member source) {
        return replicationFrom(source)
                .filter(one -> one.io() == Replication.Io.YES)
                .isPresent();
    }

    /** Whether it tries to receive what another writes, and cannot get through to it. */
    boolean hasLost(Member source) {
        return replicationFrom(source)
                .filter(one -> one.io() == Replication.Io.CONNECTING)
                .isPresent();
    }

    /** The receiving thread stopped because the source does not have what it asks for. */
    public boolean isRefusedBySource() {
        return replication().filter(Replication::isRefusedBySource).isPresent();
    }

    /** The same, of this one: what another has refused says nothing of it. */
    public boolean isRefusedBy(Member source) {
        return replicationFrom(source).filter(Replication::isRefusedBySource).isPresent();
    }

    /** Why it does not serve, if it says so. */
    public Optional<String> error() {
        return failure.map(SqlFailure::getMessage)
                .or(() -> replication()
                        .map(one -> one.sqlError().isEmpty() ? one.ioError() : one.sqlError())
                        .filter(text -> !text.isEmpty()));
    }
}

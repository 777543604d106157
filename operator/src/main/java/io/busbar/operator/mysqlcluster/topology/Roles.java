package io.busbar.operator.mysqlcluster.topology;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Labels Pods by what their servers are, which is what Services go by: nobody is written to, or read from, who should not be. The label of the primary
 * is taken from one Pod before another gets it, so that no two ever have it. Any thread.
 */
final class Roles implements Step {

    private static final String PATCH = "{\"metadata\":{\"labels\":{\"" + ClusterNames.ROLE + "\":%s}}}";
    private static final int NOT_FOUND = 404;

    @Override
    public Next take(Turn turn) {
        if (turn.draft().primary() == null && !turn.draft().isOutOfService()) {
            // New servers have none. Of those whose status was lost, one may be written to.
            return Next.GO_ON;
        }
        Map<Member, String> roles = new LinkedHashMap<>();
        for (Member member : turn.members().all()) {
            roles.put(member, turn.draft().isOutOfService() ? "" : role(turn, member));
        }
        roles.forEach((member, role) -> {
            if (!role.equals(ClusterNames.PRIMARY)) {
                label(turn, member, role);
            }
        });
        roles.forEach((member, role) -> label(turn, member, role));
        return Next.GO_ON;
    }

    /** Takes a member out of all Services. */
    static void drop(Turn turn, Member member) {
        label(turn, member, "");
    }

    /** Sends to a member what is to be written, and to nobody else. */
    static void makePrimary(Turn turn, Member member) {
        turn.members().except(member).stream()
                .filter(other -> turn.pod(other)
                        .filter(pod ->
                                ClusterNames.label(pod, ClusterNames.ROLE).equals(ClusterNames.PRIMARY))
                        .isPresent())
                .forEach(other -> drop(turn, other));
        label(turn, member, ClusterNames.PRIMARY);
    }

    private static String role(Turn turn, Member member) {
        Optional<Member> primary = turn.primary();
        if (primary.filter(one -> one.ordinal() == member.ordinal()).isPresent()) {
            // Which is away keeps its label: its Service has no endpoint then, and has one again at once when it comes
            // back.
            return member.isWritable()
                            || (!member.reachable() && !turn.draft().failover().underWay())
                    ? ClusterNames.PRIMARY
                    : "";
        }
        return primary.filter(source -> keepsUp(turn, member, source)).isPresent() ? ClusterNames.REPLICA : "";
    }

    /** Whether a replica is fit to be read from. */
    static boolean keepsUp(Turn turn, Member member, Member source) {
        Duration most = Duration.ofSeconds(turn.spec().replication().maxLagSeconds());
        return member.isFollowing(source)
                && !isApart(turn, member, source)
                && member.replication()
                        .flatMap(Replication::lag)
                        .filter(lag -> lag.compareTo(most) <= 0)
                        .isPresent();
    }

    /** Whether it has what its source never had, or lacks some of what it should have, however close it follows. */
    private static boolean isApart(Turn turn, Member member, Member source) {
        return member.isIncomplete() || (source.reachable() && History.of(turn, member, source) == History.DIVERGED);
    }

    private static void label(Turn turn, Member member, String role) {
        Pod pod = turn.pod(member).orElse(null);
        if (pod == null || ClusterNames.label(pod, ClusterNames.ROLE).equals(role)) {
            return;
        }
        String value = role.isEmpty() ? "null" : '"' + role + '"';
        try {
            Pod patched = turn.context()
                    .client()
                    .pods()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .withName(pod.getMetadata().getName())
                    .patch(PatchContext.of(PatchType.JSON_MERGE), PATCH.formatted(value));
            turn.context().remember(patched);
            turn.changed(patched);
        } catch (KubernetesClientException failure) {
            if (failure.getCode() != NOT_FOUND) {
                throw failure;
            }
        }
    }
}

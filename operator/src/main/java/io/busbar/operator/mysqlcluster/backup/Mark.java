package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.MetadataKey;
import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.topology.Turn;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The annotations of a cluster whose data is being replaced: by which restore, and where its primary is to go on counting. What it has had
 * until then is known at the beginning only. Any thread.
 */
final class Mark {

    private Mark() {}

    static Optional<String> of(MySQLCluster cluster) {
        return annotation(cluster, ClusterKeys.RESTORING);
    }

    static void set(Turn turn, String restore) {
        Member primary = turn.primary().orElseThrow();
        patch(turn, '"' + restore + '"', '"' + beyond(turn, primary) + '"');
    }

    static void remove(Turn turn) {
        patch(turn, "null", "null");
    }

    /** As it was marked, or else by what is seen now. */
    static String beyond(Turn turn, Member primary) {
        Optional<String> marked = annotation(turn.cluster(), ClusterKeys.RESTORING_BEYOND);
        if (marked.isPresent()) {
            return marked.get();
        }
        ServerState state = primary.state().orElseThrow();
        List<String> positions = new ArrayList<>();
        for (Member member : turn.members().reachable()) {
            ServerState one = member.state().orElseThrow();
            positions.add(one.history().text());
            positions.add(one.applied().text());
        }
        turn.cluster().told().members().stream()
                .map(MemberStatus::gtid)
                .filter(Objects::nonNull)
                .forEach(positions::add);
        return Beyond.all(state.flavor(), state.serverId(), positions);
    }

    private static Optional<String> annotation(MySQLCluster cluster, MetadataKey key) {
        @Nullable Map<String, String> annotations = cluster.getMetadata().getAnnotations();
        return Optional.ofNullable(annotations).map(all -> all.get(key.name()));
    }

    private static void patch(Turn turn, String restore, String beyond) {
        turn.context()
                .remember(turn.context()
                        .client()
                        .resources(MySQLCluster.class)
                        .inNamespace(turn.context().key().namespace())
                        .withName(turn.context().key().name())
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                "{\"metadata\":{\"annotations\":{\"%s\":%s,\"%s\":%s}}}"
                                        .formatted(
                                                ClusterKeys.RESTORING.name(),
                                                restore,
                                                ClusterKeys.RESTORING_BEYOND.name(),
                                                beyond)));
    }
}

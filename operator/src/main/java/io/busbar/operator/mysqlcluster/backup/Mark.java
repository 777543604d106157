package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The annotations of a cluster whose data is being replaced: by which restore, and where its primary is to go on
 * counting. What it has had until then is known at the beginning only. Pure; any thread.
 */
final class Mark {

    private Mark() {}

    /** The restore that replaces the data; empty for none. */
    static Optional<String> of(MySQLCluster cluster) {
        return ClusterKeys.RESTORING.of(cluster);
    }

    static Action.Annotate set(Observation seen, Member primary, String restore) {
        return annotate(restore, beyond(seen, primary));
    }

    static Action.Annotate remove() {
        return annotate(null, null);
    }

    /** As it was marked, or else by what is seen now. */
    static String beyond(Observation seen, Member primary) {
        return ClusterKeys.RESTORING_BEYOND.of(seen.cluster()).orElseGet(() -> beyondAll(seen, primary));
    }

    private static String beyondAll(Observation seen, Member primary) {
        ServerState state = primary.state().orElseThrow();
        List<String> positions = new ArrayList<>();
        for (Member member : seen.members().reachable()) {
            ServerState one = member.state().orElseThrow();
            positions.add(one.history().text());
            positions.add(one.applied().text());
        }
        seen.cluster().told().members().stream()
                .map(MemberStatus::gtid)
                .filter(Objects::nonNull)
                .forEach(positions::add);
        return Beyond.all(state.flavor(), state.serverId(), positions);
    }

    private static Action.Annotate annotate(@Nullable String restore, @Nullable String beyond) {
        Map<String, @Nullable String> values = new HashMap<>();
        values.put(ClusterKeys.RESTORING.name(), restore);
        values.put(ClusterKeys.RESTORING_BEYOND.name(), beyond);
        return new Action.Annotate(values);
    }
}

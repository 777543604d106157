package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
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

    /** Whether it is of that restore, and not of an earlier one of the same name. */
    static boolean isOf(MySQLRestore restore, HasMetadata marked) {
        String uid = ClusterKeys.RESTORE_UID.of(marked).orElse(null);
        return uid == null || uid.equals(restore.getMetadata().getUid());
    }

    /** So that nobody takes the Job for that of a later restore of the same name. */
    static Job on(Job job, MySQLRestore restore) {
        Map<String, String> annotations =
                new HashMap<>(Objects.requireNonNullElse(job.getMetadata().getAnnotations(), Map.of()));
        annotations.put(ClusterKeys.RESTORE_UID.name(), restore.getMetadata().getUid());
        job.getMetadata().setAnnotations(annotations);
        return job;
    }

    static Action.Annotate set(Observation seen, Member primary, MySQLRestore restore) {
        return annotate(restore.getMetadata().getName(), restore.getMetadata().getUid(), beyond(seen, primary));
    }

    static Action.Annotate remove() {
        return annotate(null, null, null);
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

    private static Action.Annotate annotate(@Nullable String restore, @Nullable String uid, @Nullable String beyond) {
        Map<String, @Nullable String> values = new HashMap<>();
        values.put(ClusterKeys.RESTORING.name(), restore);
        values.put(ClusterKeys.RESTORE_UID.name(), uid);
        values.put(ClusterKeys.RESTORING_BEYOND.name(), beyond);
        return new Action.Annotate(values);
    }
}

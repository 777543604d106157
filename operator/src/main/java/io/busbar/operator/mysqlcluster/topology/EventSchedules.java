package io.busbar.operator.mysqlcluster.topology;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.objects.PerCluster;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.sql.StoppedEvents;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the primary run the events that came to it by replication, which else run nowhere once it is the primary. A replica cannot tell those that a user has
 * disabled from the others, so the primary is asked for them every half minute, and an annotation keeps them: without it none is enabled. Any thread.
 */
final class EventSchedules implements Step {

    private static final Logger log = LoggerFactory.getLogger(EventSchedules.class);
    private static final Duration VALID = Duration.ofSeconds(30);

    private final PerCluster<Looked> last = new PerCluster<>();

    /** At whose events, and when. */
    private record Looked(String primary, Instant at) {}

    @Override
    public Next take(Turn turn) throws InterruptedException {
        Member primary = turn.servingPrimary().orElse(null);
        if (primary == null || (isFresh(turn, primary) && !turn.draft().isReplaced(primary.name()))) {
            return Next.GO_ON;
        }
        try (DatabaseServer server = turn.fleet().connect(primary)) {
            if (keep(turn, primary, server)) {
                last.remember(
                        turn.cluster(),
                        new Looked(primary.name(), turn.now()),
                        turn.context().lister(MySQLCluster.class));
            }
        } catch (SqlFailure failure) {
            log.atWarn()
                    .addKeyValue("member", primary.name())
                    .addKeyValue("error", failure.getMessage())
                    .log("the primary does not run all events yet");
        }
        return Next.GO_ON;
    }

    private boolean isFresh(Turn turn, Member primary) {
        return last.of(turn.cluster())
                .filter(looked -> looked.primary().equals(primary.name()))
                .filter(looked -> turn.now().isBefore(looked.at().plus(VALID)))
                .isPresent();
    }

    /** @return whether that is enough for now */
    private boolean keep(Turn turn, Member primary, DatabaseServer server) throws SqlFailure, InterruptedException {
        StoppedEvents stopped = server.stoppedEvents();
        Optional<List<String>> known = known(turn.cluster());
        if (stopped.byReplication().isEmpty()) {
            if (!known.equals(Optional.of(stopped.byUser()))) {
                write(turn, stopped.byUser());
            }
            return true;
        }
        if (known.isEmpty()) {
            tellUnknown(turn, primary, stopped.byReplication());
            return true;
        }
        if (!isAcknowledged(turn, primary)) {
            return false;
        }
        server.enableEvents(known.get());
        turn.tell("EventsEnabled", "EnableEvents", primary.name() + " runs the events that came to it by replication");
        return true;
    }

    private void tellUnknown(Turn turn, Member primary, List<String> names) {
        if (last.of(turn.cluster())
                .filter(looked -> looked.primary().equals(primary.name()))
                .isEmpty()) {
            turn.warn(
                    "EventsStopped",
                    "EnableEvents",
                    primary.name() + " does not run " + String.join(", ", names)
                            + ", which came by replication or with a backup, and may have been disabled before:"
                            + " ALTER EVENT ... ENABLE, or DISABLE, each");
        }
    }

    /** Where a write waits for a replica, it is not made while there is none: nothing else would get done. */
    private static boolean isAcknowledged(Turn turn, Member primary) {
        return !turn.spec().replication().semiSync()
                || turn.members().except(primary).stream().anyMatch(member -> member.isFollowing(primary));
    }

    /** What a user has disabled, as a primary told last; empty where none has. */
    private static Optional<List<String>> known(MySQLCluster cluster) {
        @Nullable Map<String, String> annotations = cluster.getMetadata().getAnnotations();
        return Optional.ofNullable(annotations)
                .map(all -> all.get(ClusterKeys.DISABLED_EVENTS.name()))
                .map(text -> Arrays.asList(Serialization.unmarshal(text, String[].class)));
    }

    private static void write(Turn turn, List<String> disabled) {
        Map<String, String> annotation = Map.of(ClusterKeys.DISABLED_EVENTS.name(), Serialization.asJson(disabled));
        turn.context()
                .remember(turn.context()
                        .client()
                        .resources(MySQLCluster.class)
                        .inNamespace(turn.context().key().namespace())
                        .withName(turn.context().key().name())
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                Serialization.asJson(Map.of("metadata", Map.of("annotations", annotation)))));
    }
}

package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.observe.Remembered;
import io.busbar.operator.mysqlcluster.sql.StoppedEvents;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Has the primary run the events that came to it by replication, which else run nowhere once it is the primary. A
 * replica cannot tell those that a user has disabled from the others, so the primary is asked for them every half
 * minute, and an annotation keeps them: without it none is enabled. Pure; any thread.
 */
final class EventSchedules implements Step {

    @Override
    public Next decide(Observation seen, Draft draft) {
        Member primary = seen.servingPrimary().orElse(null);
        if (primary == null
                || primary.events().isEmpty()
                || seen.memory().remembered().hasSeenEvents(primary.name(), seen.steadily())) {
            return Next.GO_ON;
        }
        StoppedEvents stopped = primary.events().get();
        Optional<List<String>> known = ClusterKeys.DISABLED_EVENTS
                .of(seen.cluster())
                .map(text -> Arrays.asList(Serialization.unmarshal(text, String[].class)));
        if (stopped.byReplication().isEmpty()) {
            if (!known.equals(Optional.of(stopped.byUser()))) {
                draft.act(new Action.Annotate(
                        Map.of(ClusterKeys.DISABLED_EVENTS.name(), Serialization.asJson(stopped.byUser()))));
            }
        } else if (known.isEmpty()) {
            tellUnknown(seen, draft, primary, stopped.byReplication());
        } else if (!isAcknowledged(seen, primary) || seen.memory().hasTried(Action.EnableEvents.class, primary)) {
            return Next.GO_ON;
        } else {
            draft.act(new Action.EnableEvents(primary, known.get()));
            draft.tell(
                    "EventsEnabled",
                    "EnableEvents",
                    primary.name() + " runs the events that came to it by replication");
        }
        draft.act(new Action.Remember(
                seen.memory().remembered().withEvents(new Remembered.EventsSeen(primary.name(), seen.steadily()))));
        return Next.GO_ON;
    }

    private static void tellUnknown(Observation seen, Draft draft, Member primary, List<String> names) {
        boolean isTold = seen.memory()
                .remembered()
                .events()
                .filter(last -> last.primary().equals(primary.name()))
                .isPresent();
        if (!isTold) {
            draft.warn(
                    "EventsStopped",
                    "EnableEvents",
                    primary.name() + " does not run " + String.join(", ", names)
                            + ", which came by replication or with a backup, and may have been disabled before:"
                            + " ALTER EVENT ... ENABLE, or DISABLE, each");
        }
    }

    /** Where a write waits for replicas, it is not made while there are too few: nothing else would get done. */
    private static boolean isAcknowledged(Observation seen, Member primary) {
        return seen.members().except(primary).stream()
                        .filter(member -> member.isFollowing(primary))
                        .count()
                >= seen.spec().replication().acknowledgementsRequired();
    }
}

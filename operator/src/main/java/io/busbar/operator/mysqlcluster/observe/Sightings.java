package io.busbar.operator.mysqlcluster.observe;

import io.busbar.operator.mysqlcluster.v1alpha1.FailoverPhase;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Since when this operator has seen what still holds, by its own steady clock. What the API server, a kubelet or
 * another operator wrote down as a time tells only whether it is still the same: nobody knows how their clocks go.
 * Another operator, or this one after a restart, counts anew, so that it may wait for longer, and never too briefly.
 *
 * <p>Immutable.
 *
 * @param first by what was seen
 */
record Sightings(Map<String, Instant> first) {

    static final Sightings NONE = new Sightings(Map.of());

    Sightings {
        first = Map.copyOf(first);
    }

    static String ofPrimaryAway(String since) {
        return "primary is away since " + since;
    }

    static String ofSwitchover(FailoverStatus at) {
        return "switchover to " + at.to() + " of " + at.startedAt();
    }

    static String ofPod(Pod pod) {
        return "Pod " + pod.getMetadata().getUid();
    }

    /** As it became ready last. */
    static String ofReady(Pod pod) {
        String since = pod.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("Ready"))
                .map(PodCondition::getLastTransitionTime)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
        return "Pod " + pod.getMetadata().getUid() + " is ready since " + since;
    }

    /** What holds now: the rest is forgotten. */
    Sightings of(Observation seen) {
        Set<String> facts = new HashSet<>();
        String since = seen.progress().primaryFailingSince();
        if (since != null) {
            facts.add(ofPrimaryAway(since));
        }
        FailoverStatus failover = seen.progress().failover();
        if (failover.phase() == FailoverPhase.Failed) {
            facts.add(ofSwitchover(failover));
        }
        for (Member member : seen.members().all()) {
            member.pod().ifPresent(pod -> {
                facts.add(ofPod(pod));
                if (member.podReady()) {
                    facts.add(ofReady(pod));
                }
            });
        }
        Map<String, Instant> next = new HashMap<>();
        facts.forEach(fact -> next.put(fact, first.getOrDefault(fact, seen.steadily())));
        return new Sightings(next);
    }

    /** For how long something was seen; not at all if it is new. */
    Duration time(String fact, Instant now) {
        return Duration.between(first.getOrDefault(fact, now), now);
    }
}

package io.busbar.operator.mysqlcluster.rollout;

import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.v1alpha1.Canary;
import io.busbar.operator.mysqlcluster.v1alpha1.UpdateStrategy;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Who may be updated by now. For one seen. */
final class Gate {

    private final Observation seen;
    private final Revisions revisions;
    private final UpdateStrategy strategy;

    Gate(Observation seen, Revisions revisions) {
        this.seen = seen;
        this.revisions = revisions;
        this.strategy = seen.spec().updateStrategy();
    }

    /** Members that are not held back by the partition, the next one first. */
    List<Member> eligible() {
        return Order.of(
                seen,
                revisions.outdated().stream()
                        .filter(member -> member.ordinal() >= strategy.partition())
                        .toList());
    }

    /** What holds up the others once the canaries are updated; empty if nothing does. */
    Optional<String> hold() {
        Canary canary = strategy.canary();
        if (canary == null || revisions.updated() < canary.replicas() || isPromoted() || isWayBack()) {
            return Optional.empty();
        }
        if (!canary.autoPromote()) {
            return Optional.of("canaries run " + revisions.update() + "; to go on: kubectl annotate mysqlcluster "
                    + seen.name() + " " + ClusterKeys.PROMOTE.name() + "="
                    + revisions.update());
        }
        return timeOfAllUpdated().compareTo(Duration.ofSeconds(canary.pauseSeconds())) >= 0
                ? Optional.empty()
                : Optional.of(
                        "canaries run " + revisions.update() + ", and are watched for " + canary.pauseSeconds() + " s");
    }

    private boolean isPromoted() {
        return ClusterKeys.PROMOTE
                .of(seen.cluster())
                .filter(revision -> revision.equals(revisions.update()))
                .isPresent();
    }

    /** What all ran until the canaries did not needs none. */
    private boolean isWayBack() {
        return Objects.equals(seen.progress().currentRevision(), revisions.update());
    }

    /** For how long the last of those that are updated was seen to be ready. */
    private Duration timeOfAllUpdated() {
        return seen.members().all().stream()
                .filter(member -> member.pod().isPresent())
                .filter(member ->
                        revisions.outdated().stream().noneMatch(outdated -> outdated.ordinal() == member.ordinal()))
                .map(seen::timeReady)
                .min(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }
}

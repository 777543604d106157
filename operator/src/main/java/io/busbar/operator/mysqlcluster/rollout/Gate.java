package io.busbar.operator.mysqlcluster.rollout;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.topology.Turn;
import io.busbar.operator.mysqlcluster.v1alpha1.Canary;
import io.busbar.operator.mysqlcluster.v1alpha1.UpdateStrategy;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Who may be updated by now. For one turn. */
final class Gate {

    private final Turn turn;
    private final Revisions revisions;
    private final UpdateStrategy strategy;

    Gate(Turn turn, Revisions revisions) {
        this.turn = turn;
        this.revisions = revisions;
        this.strategy = turn.spec().updateStrategy();
    }

    /** Members that are not held back by the partition, the next one first. */
    List<Member> eligible() {
        return Order.of(
                turn,
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
                    + turn.cluster().getMetadata().getName() + " " + ClusterKeys.PROMOTE.name() + "="
                    + revisions.update());
        }
        Instant since = updatedSince().orElse(turn.now());
        Duration left = Duration.ofSeconds(canary.pauseSeconds()).minus(Duration.between(since, turn.now()));
        return left.isNegative() || left.isZero()
                ? Optional.empty()
                : Optional.of("canaries run " + revisions.update() + " since " + since + ", and are watched for "
                        + canary.pauseSeconds() + " s");
    }

    private boolean isPromoted() {
        Map<String, String> annotations = turn.cluster().getMetadata().getAnnotations();
        return annotations != null && Objects.equals(annotations.get(ClusterKeys.PROMOTE.name()), revisions.update());
    }

    /** What all ran until the canaries did not needs none. */
    private boolean isWayBack() {
        return Objects.equals(turn.draft().currentRevision(), revisions.update());
    }

    /** When the last of those that are updated became ready. */
    private Optional<Instant> updatedSince() {
        return turn.members().all().stream()
                .filter(member ->
                        revisions.outdated().stream().noneMatch(outdated -> outdated.ordinal() == member.ordinal()))
                .flatMap(member -> member.pod().stream())
                .filter(pod -> pod.getStatus() != null)
                .flatMap(pod -> pod.getStatus().getConditions().stream())
                .filter(condition -> condition.getType().equals("Ready"))
                .map(PodCondition::getLastTransitionTime)
                .filter(Objects::nonNull)
                .map(Instant::parse)
                .max(Comparator.naturalOrder());
    }
}

package io.busbar.operator.sidecarset.roll;

import java.util.List;

/**
 * Which Pods are to be brought to the set's version next.
 *
 * <p>Immutable. Source of the rules: OpenKruise's spreading strategy.
 *
 * @param upgrade in this order
 * @param notUpgradable Pods that are due, but for more than their images
 * @param due how many Pods the update goes on with, at once or when there is room
 */
record Batch(List<InjectedPod> upgrade, List<InjectedPod> notUpgradable, int due) {

    private static final Share ALL = new Share(100, true);

    /**
     * @param pods all Pods of the set
     */
    static Batch next(List<InjectedPod> pods, Target target) {
        List<InjectedPod> due = pods.stream()
                .filter(pod -> !pod.updated() && target.rollsOutTo(pod.pod()))
                .toList();
        List<InjectedPod> waiting = Scatter.spread(
                due.stream()
                        .filter(pod -> pod.upgradable() && !pod.inFlight())
                        .sorted(target.order())
                        .toList(),
                pods,
                target.scatter());
        List<InjectedPod> stuck = due.stream().filter(pod -> !pod.upgradable()).toList();
        int held = heldBack(target.partition(), pods.size());
        int free = Math.max(0, waiting.size() - held);
        int room = target.maxUnavailable().of(pods.size()) - unavailable(pods);
        return new Batch(fitting(waiting.subList(0, free), room), stuck, Math.max(0, due.size() - stuck.size() - held));
    }

    /**
     * A Pod that is not ready can lose nothing; one that is takes of the room. The first for whom there is none ends
     * it.
     */
    private static List<InjectedPod> fitting(List<InjectedPod> waiting, int room) {
        int left = room;
        for (int i = 0; i < waiting.size(); i++) {
            if (waiting.get(i).podReady() && left-- <= 0) {
                return waiting.subList(0, i);
            }
        }
        return waiting;
    }

    /** A percentage leaves at least one to be updated, unless it is all of them. */
    private static int heldBack(Share partition, int total) {
        int share = partition.of(total);
        return partition.percent() && !partition.equals(ALL) && total > 1 ? Math.min(share, total - 1) : share;
    }

    private static int unavailable(List<InjectedPod> pods) {
        return (int) pods.stream().filter(pod -> pod.updated() && !pod.ready()).count();
    }
}

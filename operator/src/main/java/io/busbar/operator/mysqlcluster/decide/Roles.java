package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.Replication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Labels Pods by what their servers are, which is what Services go by: nobody is written to, or read from, who should
 * not be. The label of the primary is taken from one Pod before another gets it, so that no two ever have it. Pure; any
 * thread.
 */
public final class Roles implements Step {

    /** In a turn. More often it is labelled because a watch that is late does not show what was done. */
    private static final int MOST_LABELS = 3;

    @Override
    public Next decide(Observation seen, Draft draft) {
        if (draft.progress().primary() == null && !draft.isOutOfService()) {
            // New servers have none. Of those whose status was lost, one may be written to.
            return Next.GO_ON;
        }
        List<Action> losing = new ArrayList<>();
        List<Action> gaining = new ArrayList<>();
        for (Member member : seen.members().all()) {
            String role = draft.isOutOfService() ? "" : role(seen, member);
            if (isTo(seen, member, role)) {
                (role.equals(ClusterNames.PRIMARY) ? gaining : losing).add(new Action.Label(member, role));
            }
        }
        losing.forEach(draft::act);
        gaining.forEach(draft::act);
        return Next.GO_ON;
    }

    /** Takes a member out of all Services. */
    static void drop(Observation seen, Draft draft, Member member) {
        if (isTo(seen, member, "")) {
            draft.act(new Action.Label(member, ""));
        }
    }

    /** Sends to a member what is to be written, and to nobody else. */
    static List<Action> makePrimary(Observation seen, Member member) {
        List<Action> labels = new ArrayList<>();
        for (Member other : seen.members().except(member)) {
            if (has(other, ClusterNames.PRIMARY)) {
                labels.add(new Action.Label(other, ""));
            }
        }
        labels.add(new Action.Label(member, ClusterNames.PRIMARY));
        return labels;
    }

    private static boolean isTo(Observation seen, Member member, String role) {
        return member.pod().isPresent()
                && !has(member, role)
                && seen.memory().failure(Action.Label.class, member).isEmpty()
                && seen.memory().times(Action.Label.class, member) < MOST_LABELS;
    }

    private static boolean has(Member member, String role) {
        return member.pod()
                .filter(pod -> ClusterNames.label(pod, ClusterNames.ROLE).equals(role))
                .isPresent();
    }

    private static String role(Observation seen, Member member) {
        Optional<Member> primary = seen.primary();
        if (seen.isPrimary(member) && seen.isMigrating()) {
            return "";
        }
        if (seen.isPrimary(member)) {
            // Which is away keeps its label: its Service has no endpoint then, and has one again at once when it comes
            // back. One that is held can still be read.
            return member.isWritable()
                            || Upkeep.isHeld(seen, member)
                            || (!member.reachable()
                                    && !seen.progress().failover().underWay())
                    ? ClusterNames.PRIMARY
                    : "";
        }
        return primary.filter(source -> keepsUp(seen, member, source)).isPresent() ? ClusterNames.REPLICA : "";
    }

    /** Whether a member is fit to be read from. */
    public static boolean keepsUp(Observation seen, Member member) {
        return seen.primary().filter(source -> keepsUp(seen, member, source)).isPresent();
    }

    private static boolean keepsUp(Observation seen, Member member, Member source) {
        Duration most = Duration.ofSeconds(seen.spec().replication().maxLagSeconds());
        return member.isFollowing(source)
                && !isApart(seen, member, source)
                && member.replication()
                        .flatMap(Replication::lag)
                        .filter(lag -> lag.compareTo(most) <= 0)
                        .isPresent();
    }

    /** Whether a member that follows the primary has not what the primary has, however close it follows. */
    public static boolean hasDiverged(Observation seen, Member member) {
        return member.reachable()
                && seen.primary()
                        .filter(Member::reachable)
                        .filter(primary -> !seen.isPrimary(member))
                        .filter(primary -> History.of(seen, member, primary) == History.DIVERGED)
                        .isPresent();
    }

    /** Whether it has what its source never had, or lacks some of what it should have, however close it follows. */
    private static boolean isApart(Observation seen, Member member, Member source) {
        return member.isIncomplete() || (source.reachable() && History.of(seen, member, source) == History.DIVERGED);
    }
}

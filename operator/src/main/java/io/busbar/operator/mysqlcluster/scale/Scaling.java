package io.busbar.operator.mysqlcluster.scale;

import io.busbar.operator.mysqlcluster.decide.Acknowledgements;
import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.decide.Joining;
import io.busbar.operator.mysqlcluster.decide.Roles;
import io.busbar.operator.mysqlcluster.decide.Step;
import io.busbar.operator.mysqlcluster.decide.Switchover;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Memory.Recommendation;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.v1alpha1.Autoscaling;
import java.util.List;
import java.util.Optional;

/** Makes as many members as are wanted. Volumes of members that go stay. Pure; any thread. */
public final class Scaling implements Step {

    @Override
    public Next decide(Observation seen, Draft draft) {
        Autoscaling rules = seen.spec().autoscaling();
        boolean isByLoad = rules != null && rules.enabled();
        if (isByLoad && seen.memory().recommendation().isEmpty()) {
            draft.act(new Action.AskAutoscaler());
            return Next.GO_ON;
        }
        int size = seen.spec().size();
        if (rules != null && isByLoad) {
            Recommendation byLoad = seen.memory().recommendation().orElseThrow();
            noteBounds(draft, rules, byLoad.calledFor());
            size = byLoad.size();
        }
        int now = seen.replicas();
        int wanted = enoughToAcknowledge(seen, draft, size);
        draft.progress(progress -> progress.withTargetSize(wanted));
        if (wanted > now) {
            resize(draft, wanted);
            draft.tell("ScaledUp", "Scale", "from " + now + " to " + wanted + " members");
            return Next.END_TURN;
        }
        return wanted < now ? scaleDown(seen, draft, now, wanted) : Next.GO_ON;
    }

    private static void noteBounds(Draft draft, Autoscaling rules, int calledFor) {
        int most = Math.max(rules.minReplicas(), rules.maxReplicas());
        if (calledFor < rules.minReplicas() || calledFor > most) {
            draft.note(
                    calledFor > most ? ClusterReasons.TOO_MANY_REPLICAS : ClusterReasons.TOO_FEW_REPLICAS,
                    calledFor + " members are called for, " + rules.minReplicas() + " to " + most + " allowed");
        }
    }

    private static Next scaleDown(Observation seen, Draft draft, int now, int wanted) {
        Member primary = seen.servingPrimary().orElseThrow();
        if (primary.ordinal() >= wanted) {
            Optional<Member> successor = seen.members().all().stream()
                    .filter(member -> member.ordinal() < wanted && Roles.keepsUp(seen, member))
                    .findFirst();
            if (successor.isEmpty() || !Switchover.begin(seen, draft, successor.get())) {
                draft.note(
                        ClusterReasons.PRIMARY_CANNOT_MOVE,
                        "the primary " + primary.name() + " is among those to go, and nobody can take over");
            }
            return Next.GO_ON;
        }
        if (wouldTakeTheLastReplica(seen, wanted)) {
            draft.note(
                    ClusterReasons.REPLICAS_AWAY,
                    "no replica that is to stay follows the primary: bring one back before the others go");
            return Next.GO_ON;
        }
        if (seen.spec().replication().acknowledgementsRequired() > 0 && !haveAllOfThoseThatGo(seen, draft, wanted)) {
            return Next.END_TURN;
        }
        resize(draft, wanted);
        draft.tell("ScaledDown", "Scale", "from " + now + " to " + wanted + " members");
        return Next.END_TURN;
    }

    /**
     * What a member has acknowledged goes with it: first it acknowledges nothing more, and then enough of those that
     * stay must have what it has. One that does not answer, and is not known to be down, may go on acknowledging.
     */
    private static boolean haveAllOfThoseThatGo(Observation seen, Draft draft, int wanted) {
        Optional<Member> silent = seen.members().all().stream()
                .filter(member -> member.ordinal() >= wanted && Acknowledgements.mayAcknowledgeUnseen(seen, member))
                .findFirst();
        if (silent.isPresent()) {
            draft.phase(ClusterReasons.SCALING);
            draft.note(
                    ClusterReasons.REPLICAS_AWAY,
                    silent.get().name() + " does not answer, and may acknowledge writes that nobody else has: bring it"
                            + " back, or delete its Pod");
            return false;
        }
        List<Member> going = seen.members().reachable().stream()
                .filter(member -> member.ordinal() >= wanted)
                .toList();
        List<Action> stopping = going.stream()
                .filter(member -> member.replication()
                        .filter(one -> one.io() != Replication.Io.NO)
                        .isPresent())
                .filter(member -> !seen.memory().hasTried(Action.StopReceiving.class, member))
                .<Action>map(Action.StopReceiving::new)
                .toList();
        if (!stopping.isEmpty()) {
            draft.act(new Action.AtOnce(stopping));
            return false;
        }
        Optional<Member> ahead = going.stream()
                .filter(member -> !isWithEnough(seen, member, wanted))
                .findFirst();
        ahead.ifPresent(member -> {
            draft.phase(ClusterReasons.SCALING);
            draft.note(
                    ClusterReasons.REPLICAS_AWAY,
                    member.name() + " may have acknowledged writes that those that are to stay do not have yet");
        });
        return ahead.isEmpty();
    }

    private static boolean isWithEnough(Observation seen, Member going, int wanted) {
        Replication replication = going.replication().orElse(null);
        if (replication == null || seen.members().isErrant(going)) {
            return true;
        }
        return replication.io() == Replication.Io.NO
                && Acknowledgements.enoughHave(seen, replication.received(), member -> member.ordinal() < wanted);
    }

    /** Of those that are there: writes would wait for one that is not, or be nowhere but at the primary. */
    private static boolean wouldTakeTheLastReplica(Observation seen, int wanted) {
        return wanted > 1
                && seen.members().all().stream().anyMatch(member -> Roles.keepsUp(seen, member))
                && Joining.stayingReplicas(seen, wanted)
                        < Math.max(1, seen.spec().replication().acknowledgementsRequired());
    }

    /** With fewer replicas no write would ever be acknowledged. */
    private static int enoughToAcknowledge(Observation seen, Draft draft, int wanted) {
        int least = seen.spec().replication().acknowledgementsRequired() + 1;
        if (wanted >= least) {
            return wanted;
        }
        draft.note(
                ClusterReasons.SEMI_SYNC_NEEDS_A_REPLICA,
                "spec.replication.semiSync needs at least " + least + " members");
        return least;
    }

    private static void resize(Draft draft, int replicas) {
        draft.phase(ClusterReasons.SCALING);
        draft.act(new Action.Resize(replicas));
        draft.endTurn();
    }
}

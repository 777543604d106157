package io.busbar.operator.mysqlcluster.access;

import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.decide.Roles;
import io.busbar.operator.mysqlcluster.decide.Step;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.observe.Remembered.Programs;
import io.busbar.operator.mysqlcluster.sql.Application;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Lets programs log in on every member, and makes their database on the primary. Servers are asked about it once by
 * each operator, and again when the Secret, the database's name, a Pod or the data has changed: a turn in which nothing
 * has costs nothing. Pure; any thread.
 */
public final class ApplicationAccount implements Step {

    @Override
    public Next decide(Observation seen, Draft draft) {
        Application application = seen.application().orElse(null);
        if (application == null) {
            draft.trouble(
                    ClusterReasons.MISSING_APPLICATION_ACCOUNT,
                    "MissingApplicationAccount",
                    "CreateAccount",
                    Passwords.applicationProblem(seen.cluster()));
            return Next.GO_ON;
        }
        Programs known = seen.memory()
                .remembered()
                .programs()
                .filter(one -> one.application().equals(application))
                .orElse(new Programs(application, Set.of(), false));
        List<Member> members = seen.members().complete();
        List<Action> asking = members.stream()
                .filter(member -> !known.pods().contains(member.uid()))
                .filter(member -> !seen.memory().hasTried(Action.LetProgramsIn.class, member))
                .<Action>map(Action.LetProgramsIn::new)
                .toList();
        if (!asking.isEmpty()) {
            draft.act(new Action.AtOnce(asking));
            return Next.GO_ON;
        }
        members.forEach(member -> seen.memory()
                .failure(Action.LetProgramsIn.class, member)
                .ifPresent(why -> noteFailure(draft, member, why)));
        Member primary = seen.servingPrimary().orElseThrow();
        if (!known.hasDatabase() && mayMakeDatabase(seen, primary)) {
            draft.act(new Action.MakeDatabase(primary, application.database()));
            return Next.GO_ON;
        }
        seen.memory().failure(Action.MakeDatabase.class, primary).ifPresent(why -> noteFailure(draft, primary, why));
        Programs now = seenTo(seen, known, members, primary);
        if (!now.equals(known)) {
            draft.act(new Action.Remember(seen.memory().remembered().withPrograms(now)));
        }
        return Next.GO_ON;
    }

    private static Programs seenTo(Observation seen, Programs known, List<Member> members, Member primary) {
        Set<String> pods = new HashSet<>();
        for (Member member : members) {
            if (known.pods().contains(member.uid()) || seen.memory().hasDone(Action.LetProgramsIn.class, member)) {
                pods.add(member.uid());
            }
        }
        boolean hasDatabase = known.hasDatabase() || seen.memory().hasDone(Action.MakeDatabase.class, primary);
        return new Programs(known.application(), pods, hasDatabase);
    }

    /** Where a write waits for replicas, there must be as many: else this turn would wait as well. */
    private static boolean mayMakeDatabase(Observation seen, Member primary) {
        long replicas = seen.members().except(primary).stream()
                .filter(member -> Roles.keepsUp(seen, member))
                .count();
        return !seen.memory().hasTried(Action.MakeDatabase.class, primary)
                && replicas >= seen.spec().replication().acknowledgementsRequired();
    }

    private static void noteFailure(Draft draft, Member member, String why) {
        draft.trouble(
                ClusterReasons.APPLICATION_ACCOUNT_FAILED,
                "ApplicationAccountFailed",
                "CreateAccount",
                "programs cannot log in on " + member.name() + " as they should: " + why);
    }
}

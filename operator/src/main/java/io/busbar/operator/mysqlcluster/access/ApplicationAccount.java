package io.busbar.operator.mysqlcluster.access;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.objects.PerCluster;
import io.busbar.operator.mysqlcluster.sql.Application;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.topology.ClusterReasons;
import io.busbar.operator.mysqlcluster.topology.Step;
import io.busbar.operator.mysqlcluster.topology.Switchover;
import io.busbar.operator.mysqlcluster.topology.Turn;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Lets programs log in on every member that serves, and makes their database on the primary. Servers are asked about it once by each operator, and
 * again when the Secret, the database's name, a Pod or the data has changed: a turn in which nothing has costs nothing. Any thread.
 */
public final class ApplicationAccount implements Step {

    private final PerCluster<Known> known = new PerCluster<>();

    /**
     * What has been seen to.
     *
     * <p>Immutable.
     *
     * @param pods by their UIDs: their servers have the account
     * @param hasDatabase whether the primary has the database, and so all that follow it
     */
    private record Known(Application application, Set<String> pods, boolean hasDatabase) {}

    @Override
    public Next take(Turn turn) throws InterruptedException {
        if (turn.draft().isAnyReplaced()) {
            known.forget(turn.cluster());
        }
        Application application = turn.fleet().accounts().application().orElse(null);
        if (application == null) {
            noteMissing(turn);
            return Next.GO_ON;
        }
        Known before = known.of(turn.cluster())
                .filter(one -> one.application().equals(application))
                .orElse(new Known(application, Set.of(), false));
        Set<String> pods = new HashSet<>(before.pods());
        List<Member> serving = serving(turn);
        List<Member> unknown =
                serving.stream().filter(member -> !pods.contains(uid(member))).toList();
        List<Optional<SqlFailure>> failures = turn.fleet().each(unknown, member -> letIn(turn, member, application));
        for (int i = 0; i < unknown.size(); i++) {
            if (failures.get(i).isEmpty()) {
                pods.add(uid(unknown.get(i)));
            } else {
                noteFailure(turn, unknown.get(i), failures.get(i).get());
            }
        }
        boolean hasDatabase = before.hasDatabase() || makeDatabase(turn, application);
        pods.retainAll(serving.stream().map(ApplicationAccount::uid).toList());
        Known now = new Known(application, Set.copyOf(pods), hasDatabase);
        if (!now.equals(before)) {
            known.remember(turn.cluster(), now, turn.context().lister(MySQLCluster.class));
        }
        return Next.GO_ON;
    }

    /** Others are given their accounts when they are introduced, or with a copy of another's data. */
    private static List<Member> serving(Turn turn) {
        return Stream.concat(
                        turn.servingPrimary().stream(),
                        turn.members().all().stream().filter(turn::keepsUp))
                .toList();
    }

    private static String uid(Member member) {
        return member.pod().map(pod -> pod.getMetadata().getUid()).orElse(member.name());
    }

    private static Optional<SqlFailure> letIn(Turn turn, Member member, Application application)
            throws InterruptedException {
        try (DatabaseServer server = turn.fleet().connect(member)) {
            if (!turn.fleet().admits(member, application.account()) || !server.hasApplication(application)) {
                server.createAccounts(turn.fleet().accounts());
            }
            return Optional.empty();
        } catch (SqlFailure failure) {
            return Optional.of(failure);
        }
    }

    /** Where a write waits for a replica, there must be one: else this turn would wait as well. */
    private static boolean makeDatabase(Turn turn, Application application) throws InterruptedException {
        Member primary = turn.servingPrimary().orElse(null);
        boolean wouldWait = turn.spec().replication().semiSync()
                && Switchover.successor(turn).isEmpty();
        if (primary == null || wouldWait) {
            return false;
        }
        try (DatabaseServer server = turn.fleet().connect(primary)) {
            server.createDatabase(application.database());
            return true;
        } catch (SqlFailure failure) {
            noteFailure(turn, primary, failure);
            return false;
        }
    }

    private static void noteFailure(Turn turn, Member member, SqlFailure failure) {
        turn.trouble(
                ClusterReasons.APPLICATION_ACCOUNT_FAILED,
                "ApplicationAccountFailed",
                "CreateAccount",
                "programs cannot log in on " + member.name() + " as they should: " + failure.getMessage());
    }

    private static void noteMissing(Turn turn) {
        turn.trouble(
                ClusterReasons.MISSING_APPLICATION_ACCOUNT,
                "MissingApplicationAccount",
                "CreateAccount",
                Passwords.applicationProblem(turn.cluster()));
    }
}

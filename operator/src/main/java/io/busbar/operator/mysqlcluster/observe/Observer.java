package io.busbar.operator.mysqlcluster.observe;

import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.objects.PerCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Looks at one cluster: at what the API server has of it, and at its servers. Changes nothing. For the thread of one
 * reconcile, which waits.
 */
public final class Observer {

    private final ReconcileContext<MySQLCluster> context;
    private final Fleet fleet;
    private final Function<StatefulSet, List<Pod>> pods;
    private final Supplier<Catalog> catalog;
    private final PerCluster<Map<String, JobReport>> ended;
    private final Clock clock;
    private final Clock steady;

    /**
     * @param pods of the StatefulSet, with what was written in this turn
     * @param steady by which it is counted how much time has passed
     * @param ended what Jobs that have ended have come to, by their UIDs: that does not change, and is asked for once
     */
    public Observer(
            ReconcileContext<MySQLCluster> context,
            Fleet fleet,
            Function<StatefulSet, List<Pod>> pods,
            Supplier<Catalog> catalog,
            PerCluster<Map<String, JobReport>> ended,
            Clock clock,
            Clock steady) {
        this.context = context;
        this.fleet = fleet;
        this.pods = pods;
        this.catalog = catalog;
        this.ended = ended;
        this.clock = clock;
        this.steady = steady;
    }

    /**
     * At all of it, when a turn begins.
     *
     * @param obstacle what is in the way of what the cluster consists of, if anything
     * @param outside the server outside that it follows, as it was a moment ago
     */
    public Observation look(
            MySQLCluster cluster,
            StatefulSet set,
            Optional<Obstacle> obstacle,
            Optional<Outside> outside,
            Remembered remembered)
            throws InterruptedException {
        Progress progress = Progress.of(cluster.told());
        Observation stored = stored(
                cluster,
                progress,
                set,
                new Members(List.of()),
                obstacle,
                outside,
                Memory.atBegin(progress, remembered));
        Observation unasked = stored.with(stored.memory().with(remembered.sighting(stored)));
        String primary = progress.primary();
        boolean withEvents = !remembered.hasSeenEvents(primary, unasked.steadily());
        Observation asked = unasked.with(new Members(fleet.ask(unasked.members().all(), primary, withEvents)));
        return asked.with(asked.memory()
                .with(asked.memory()
                        .remembered()
                        .withAwaited(Awaited.after(
                                remembered.awaited(), asked.members(), asked.primary(), asked.steadily()))));
    }

    /**
     * After something was done. Servers are asked that it was done to, and the primary last; of the others, and of one
     * that did not answer before, it stands what was seen: nobody is waited for twice in a turn who may never answer.
     *
     * @param touched names of members
     */
    public Observation lookAgain(Observation before, Set<String> touched) throws InterruptedException {
        StatefulSet set = context.owned(StatefulSet.class).stream().findFirst().orElse(before.statefulSet());
        Observation stored = stored(
                before.cluster(),
                before.progress(),
                set,
                before.members(),
                before.obstacle(),
                before.outside(),
                before.memory());
        String primary = stored.progress().primary();
        Map<String, Member> asked = new HashMap<>();
        List<Member> others = stored.members().all().stream()
                .filter(member ->
                        touched.contains(member.name()) && !member.name().equals(primary))
                .toList();
        List<Member> answers = fleet.together(others, fleet::ask);
        answers.forEach(member -> asked.put(member.name(), member));
        Member source = stored.primary().orElse(null);
        if (source != null && !touched.isEmpty() && (source.reachable() || touched.contains(source.name()))) {
            asked.put(source.name(), fleet.ask(source));
        }
        return stored.with(new Members(stored.members().all().stream()
                .map(member -> asked.getOrDefault(member.name(), member))
                .toList()));
    }

    /** With what the servers have said before. */
    private Observation stored(
            MySQLCluster cluster,
            Progress progress,
            StatefulSet set,
            Members before,
            Optional<Obstacle> obstacle,
            Optional<Outside> outside,
            Memory memory) {
        List<Job> jobs = context.owned(Job.class);
        Observation seen = new Observation(
                cluster,
                progress,
                set,
                before,
                context.owned(ConfigMap.class),
                jobs,
                reports(cluster, jobs),
                catalog.get(),
                fleet.accounts().application(),
                fleet.accounts().exporter(),
                fleet.rotation(),
                obstacle,
                outside,
                memory,
                clock.instant(),
                steady.instant());
        List<Member> members = new ArrayList<>();
        for (Member member : members(seen)) {
            members.add(before.named(member.name())
                    .filter(known -> known.endpoint().equals(member.endpoint()))
                    .map(member::asSeen)
                    .orElse(member));
        }
        return seen.with(new Members(members));
    }

    /** Those that have a Pod, those that should have one, and the primary. */
    private List<Member> members(Observation seen) {
        List<Member> members = new ArrayList<>();
        for (Pod pod : pods.apply(seen.statefulSet())) {
            ClusterNames.ordinal(seen.name(), pod.getMetadata().getName())
                    .ifPresent(ordinal -> members.add(fleet.unasked(ordinal, Optional.of(pod))));
        }
        String primary = seen.progress().primary();
        IntStream expected = IntStream.range(0, seen.replicas());
        if (primary != null) {
            expected = IntStream.concat(expected, ClusterNames.ordinal(seen.name(), primary).stream());
        }
        expected.distinct()
                .filter(ordinal -> members.stream().noneMatch(member -> member.ordinal() == ordinal))
                .forEach(ordinal -> members.add(fleet.unasked(ordinal, Optional.empty())));
        members.sort(Comparator.comparingInt(Member::ordinal));
        return members;
    }

    private Map<String, JobReport> reports(MySQLCluster cluster, List<Job> jobs) {
        Map<String, JobReport> known = ended.of(cluster).orElse(Map.of());
        Map<String, JobReport> byUid = new HashMap<>();
        Map<String, JobReport> byName = new HashMap<>();
        for (Job job : jobs) {
            if (JobReport.hasEnded(job) && !job.isMarkedForDeletion()) {
                String uid = job.getMetadata().getUid();
                JobReport report = known.getOrDefault(uid, null);
                if (report == null) {
                    report = JobReport.of(job, context.client(), steady.instant());
                }
                byUid.put(uid, report);
                byName.put(job.getMetadata().getName(), report);
            }
        }
        if (!known.equals(byUid)) {
            ended.remember(cluster, byUid, context.lister(MySQLCluster.class));
        }
        return byName;
    }
}

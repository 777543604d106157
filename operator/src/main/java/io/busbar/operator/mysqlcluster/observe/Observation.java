package io.busbar.operator.mysqlcluster.observe;

import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.objects.Migration;
import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.Application;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterSpec;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * All that is known of a cluster when it is decided what to do next.
 *
 * <p>Immutable, but for the objects of the API server, which nobody changes.
 *
 * @param cluster what is asked for, and what the status says
 * @param progress what was decided by now; the status says so unless that was in this turn
 * @param members the servers as they are
 * @param settings the ConfigMaps of its revisions
 * @param reports of the Jobs that have ended, by their names
 * @param application what programs log in with; empty while nobody has said that
 * @param exporter what the exporter beside each server logs in with; empty where there is to be none
 * @param rotation how far a change of passwords has come
 * @param obstacle what is in the way of what the cluster consists of, if anything
 * @param outside the server outside that it follows; empty where it follows none
 * @param memory what was done in this turn, and what this operator remembers of others
 * @param now what time it is, for people and timetables
 * @param steadily the same by a clock that nobody sets, from which it is counted how much time has passed
 */
public record Observation(
        MySQLCluster cluster,
        Progress progress,
        StatefulSet statefulSet,
        Members members,
        List<ConfigMap> settings,
        List<Job> jobs,
        Map<String, JobReport> reports,
        Catalog catalog,
        Optional<Application> application,
        Optional<Account> exporter,
        RotationProgress rotation,
        Optional<Obstacle> obstacle,
        Optional<Outside> outside,
        Memory memory,
        Instant now,
        Instant steadily) {

    public Observation {
        settings = List.copyOf(settings);
        jobs = List.copyOf(jobs);
        reports = Map.copyOf(reports);
    }

    public MySQLClusterSpec spec() {
        return cluster.wanted();
    }

    public String name() {
        return cluster.getMetadata().getName();
    }

    /** How many members the StatefulSet is asked for. */
    public int replicas() {
        Integer replicas = statefulSet.getSpec().getReplicas();
        return replicas == null ? 1 : replicas;
    }

    public Optional<Member> primary() {
        return members.named(progress.primary());
    }

    public boolean isPrimary(Member member) {
        return member.name().equals(progress.primary());
    }

    /** The primary, if it takes writes. */
    public Optional<Member> servingPrimary() {
        return primary().filter(Member::isWritable);
    }

    /** Whether the cluster follows a server outside, so that none of its own may be written to. */
    public boolean isMigrating() {
        return Migration.isUnderWay(cluster);
    }

    /**
     * Whom the other members follow: the primary that takes writes, or that is to follow the server outside itself and
     * has what it begins with.
     */
    public Optional<Member> head() {
        return isMigrating()
                ? primary().filter(member -> member.reachable() && !member.isBlank() && !member.isIncomplete())
                : servingPrimary();
    }

    /** Of Pods that are made now; empty while the StatefulSet's controller has not seen the template as it is. */
    public Optional<String> updateRevision() {
        long generation = Objects.requireNonNullElse(statefulSet.getMetadata().getGeneration(), 0L);
        return Optional.ofNullable(statefulSet.getStatus())
                .filter(status -> Objects.requireNonNullElse(status.getObservedGeneration(), 0L) >= generation)
                .map(StatefulSetStatus::getUpdateRevision);
    }

    /** For how long this operator has seen that the primary is away; not at all if that is new. */
    public Duration timeWithoutPrimary() {
        String since = progress.primaryFailingSince();
        return since == null ? Duration.ZERO : time(Sightings.ofPrimaryAway(since));
    }

    /** For how long this operator has known that the last switchover failed. */
    public Duration timeSinceSwitchover() {
        return time(Sightings.ofSwitchover(progress.failover()));
    }

    /** For how long this operator has seen a member's Pod. */
    public Duration timeOfPod(Member member) {
        return member.pod().map(pod -> time(Sightings.ofPod(pod))).orElse(Duration.ZERO);
    }

    /** For how long this operator has seen that a member's Pod is ready. */
    public Duration timeReady(Member member) {
        return member.podReady() ? time(Sightings.ofReady(member.pod().orElseThrow())) : Duration.ZERO;
    }

    private Duration time(String fact) {
        return memory.remembered().sightings().time(fact, steadily);
    }

    /** Also one that is being deleted. */
    public Optional<Job> job(String name) {
        return jobs.stream()
                .filter(job -> job.getMetadata().getName().equals(name))
                .findFirst();
    }

    /** What a Job of the cluster has come to. */
    public JobReport report(Job job) {
        return reports.getOrDefault(job.getMetadata().getName(), JobReport.RUNNING);
    }

    public Observation with(Progress next) {
        return new Observation(
                cluster,
                next,
                statefulSet,
                members,
                settings,
                jobs,
                reports,
                catalog,
                application,
                exporter,
                rotation,
                obstacle,
                outside,
                memory,
                now,
                steadily);
    }

    public Observation with(Members next) {
        return new Observation(
                cluster,
                progress,
                statefulSet,
                next,
                settings,
                jobs,
                reports,
                catalog,
                application,
                exporter,
                rotation,
                obstacle,
                outside,
                memory,
                now,
                steadily);
    }

    public Observation withJobs(List<Job> next, Map<String, JobReport> reports) {
        return new Observation(
                cluster,
                progress,
                statefulSet,
                members,
                settings,
                next,
                reports,
                catalog,
                application,
                exporter,
                rotation,
                obstacle,
                outside,
                memory,
                now,
                steadily);
    }

    public Observation with(Memory next) {
        return new Observation(
                cluster,
                progress,
                statefulSet,
                members,
                settings,
                jobs,
                reports,
                catalog,
                application,
                exporter,
                rotation,
                obstacle,
                outside,
                next,
                now,
                steadily);
    }

    public Observation with(MySQLCluster next) {
        return new Observation(
                next,
                progress,
                statefulSet,
                members,
                settings,
                jobs,
                reports,
                catalog,
                application,
                exporter,
                rotation,
                obstacle,
                outside,
                memory,
                now,
                steadily);
    }
}

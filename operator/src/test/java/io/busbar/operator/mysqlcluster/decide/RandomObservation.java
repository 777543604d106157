package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.observe.Catalog;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Members;
import io.busbar.operator.mysqlcluster.observe.Memory;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.observe.Progress;
import io.busbar.operator.mysqlcluster.observe.Remembered;
import io.busbar.operator.mysqlcluster.observe.RotationProgress;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverPhase;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A cluster {@code db} of three servers in any state whatever, also in such as can hardly come about; the same for the
 * same seed. Transactions are those of three servers, in any sets. For one thread.
 */
final class RandomObservation {

    static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");
    private static final int SIZE = 3;

    private final Random random;

    private RandomObservation(long seed) {
        random = new Random(seed);
    }

    static Observation of(long seed) {
        return new RandomObservation(seed).observation();
    }

    private Observation observation() {
        List<Member> members = IntStream.range(0, SIZE).mapToObj(this::member).toList();
        MySQLCluster cluster = cluster();
        Progress progress = progress();
        List<Job> jobs = new ArrayList<>();
        Map<String, JobReport> reports = new LinkedHashMap<>();
        for (Member member : members) {
            if (random.nextInt(5) == 0 && member.endpoint().isPresent() && member.reachable()) {
                Job job = new ClusterJobs(cluster)
                        .clone(
                                member.ordinal(),
                                endpoint(random.nextInt(SIZE)),
                                endpoint(member.ordinal()),
                                member.state().orElseThrow(),
                                member.state().orElseThrow().history());
                job.getMetadata()
                        .setCreationTimestamp(
                                NOW.minusSeconds(random.nextInt(60)).toString());
                jobs.add(job);
                reports.put(job.getMetadata().getName(), report());
            }
        }
        Observation before = observation(
                cluster, progress, members, jobs, reports, Remembered.NOTHING, NOW.minusSeconds(random.nextInt(90)));
        return observation(cluster, progress, members, jobs, reports, Remembered.NOTHING.sighting(before), NOW);
    }

    private Observation observation(
            MySQLCluster cluster,
            Progress progress,
            List<Member> members,
            List<Job> jobs,
            Map<String, JobReport> reports,
            Remembered remembered,
            Instant steadily) {
        return new Observation(
                cluster,
                progress,
                statefulSet(),
                new Members(members),
                List.of(),
                jobs,
                reports,
                new Catalog(List.of(), List.of(), Map.of(), Optional.empty()),
                Optional.empty(),
                Optional.empty(),
                RotationProgress.NONE,
                Optional.empty(),
                Optional.empty(),
                Memory.atBegin(progress, remembered),
                NOW,
                steadily);
    }

    private JobReport report() {
        return switch (random.nextInt(3)) {
            case 0 -> JobReport.RUNNING;
            case 1 ->
                JobReport.of(
                        JobReport.State.FAILED, Map.of("message", "broken off"), NOW.minusSeconds(random.nextInt(60)));
            default -> JobReport.of(JobReport.State.SUCCEEDED, Map.of("gtid", gtids()), NOW);
        };
    }

    private Member member(int ordinal) {
        boolean hasPod = random.nextInt(8) > 0;
        Optional<Pod> pod = hasPod ? Optional.of(pod(ordinal)) : Optional.empty();
        Optional<Endpoint> endpoint = hasPod ? Optional.of(endpoint(ordinal)) : Optional.empty();
        boolean answers = hasPod && random.nextInt(4) > 0;
        return new Member(
                ordinal,
                name(ordinal),
                pod,
                endpoint,
                answers ? Optional.of(state(ordinal)) : Optional.empty(),
                hasPod && !answers ? Optional.of(failure()) : Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private SqlFailure failure() {
        SqlFailure.Kind kind = random.nextInt(6) == 0 ? SqlFailure.Kind.DENIED : SqlFailure.Kind.UNREACHABLE;
        return new SqlFailure(kind, "no answer", null);
    }

    private Pod pod(int ordinal) {
        String role = List.of("", ClusterNames.PRIMARY, ClusterNames.REPLICA).get(random.nextInt(3));
        PodBuilder pod = new PodBuilder()
                .withNewMetadata()
                .withName(name(ordinal))
                .withNamespace("default")
                .withUid("uid-" + ordinal)
                .withCreationTimestamp(NOW.minusSeconds(600).toString())
                .withLabels(role.isEmpty() ? Map.of() : Map.of(ClusterNames.ROLE, role))
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus(random.nextBoolean() ? "True" : "False")
                .endCondition()
                .endStatus();
        if (random.nextInt(10) == 0) {
            pod.editMetadata().withDeletionTimestamp(NOW.toString()).endMetadata();
        }
        return pod.build();
    }

    private <T> T any(T[] values) {
        return List.of(values).get(random.nextInt(values.length));
    }

    private ServerState state(int ordinal) {
        Position history = Position.of(Flavor.MYSQL, gtids());
        Optional<Replication> replication =
                random.nextInt(3) > 0 ? Optional.of(replication(ordinal, history)) : Optional.empty();
        return new ServerState(
                Flavor.MYSQL,
                "9.7.0",
                100L + ordinal,
                uuid(ordinal),
                random.nextInt(4) > 0,
                history,
                history,
                history.minus(history.notBy(uuid(ordinal))),
                replication,
                random.nextInt(10) == 0,
                false,
                random.nextInt(3),
                Optional.empty());
    }

    private Replication replication(int ordinal, Position history) {
        int source = (ordinal + 1 + random.nextInt(SIZE - 1)) % SIZE;
        Replication.Io io = any(Replication.Io.values());
        boolean isRefused = io == Replication.Io.NO && random.nextInt(3) == 0;
        boolean isBroken = random.nextInt(8) == 0;
        String more = random.nextBoolean() ? "" : gtids();
        Position received = Position.of(
                Flavor.MYSQL,
                Arrays.asList(history.text(), more).stream()
                        .filter(text -> !text.isEmpty())
                        .collect(Collectors.joining(",")));
        return new Replication(
                endpoint(source),
                io,
                !isBroken && random.nextInt(5) > 0,
                isRefused ? Replication.FATAL_ERROR_READING_BINLOG : 0,
                isRefused ? "Got fatal error 1236" : "",
                isBroken ? 1062 : 0,
                isBroken ? "duplicate" : "",
                io == Replication.Io.YES ? Optional.of(Duration.ZERO) : Optional.empty(),
                received);
    }

    /** Of each server those from 1 on, or none: what is in the middle is seldom missing. */
    private String gtids() {
        return IntStream.range(0, SIZE)
                .mapToObj(server -> {
                    int last = random.nextInt(4);
                    return last == 0 ? "" : uuid(server) + ":1-" + last;
                })
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(","));
    }

    private Progress progress() {
        String primary = random.nextInt(8) == 0 ? null : name(random.nextInt(SIZE));
        FailoverPhase phase = primary == null || random.nextBoolean() ? null : any(FailoverPhase.values());
        int from = random.nextInt(SIZE);
        FailoverStatus failover = new FailoverStatus(
                phase,
                phase == null ? null : name(from),
                null,
                phase == null ? null : name((from + 1 + random.nextInt(SIZE - 1)) % SIZE),
                null,
                phase == null ? null : NOW.minusSeconds(random.nextInt(90)).toString(),
                0);
        String since = random.nextBoolean()
                ? null
                : NOW.minusSeconds(random.nextInt(60)).toString();
        return new Progress(primary, since, failover, SIZE, random.nextInt(3), null, null, null, null);
    }

    private MySQLCluster cluster() {
        String spec = """
            {size: 3, divergedMembers: %s, failover: {enabled: %s, delaySeconds: 10},
             replication: {semiSync: %s%s}}
            """.formatted(
                        random.nextBoolean() ? "Keep" : "Reclone",
                        random.nextInt(6) > 0,
                        random.nextBoolean(),
                        random.nextInt(4) == 0 ? ", primaryOrdinal: " + random.nextInt(SIZE) : "");
        String members = IntStream.range(0, SIZE)
                .mapToObj(ordinal -> "{name: %s, role: Replica, readOnly: true, ioRunning: %s, sqlRunning: true%s}"
                        .formatted(
                                name(ordinal),
                                random.nextBoolean(),
                                random.nextBoolean() ? "" : ", gtid: '" + gtids() + "'"))
                .collect(Collectors.joining(", "));
        return Serialization.unmarshal("""
            apiVersion: database.example.com/v1alpha1
            kind: MySQLCluster
            metadata: {name: db, namespace: default, uid: any, generation: 1}
            spec: %s
            status: {members: [%s]}
            """.formatted(spec, members), MySQLCluster.class);
    }

    private static StatefulSet statefulSet() {
        return Serialization.unmarshal("""
            metadata: {name: db, namespace: default, generation: 1}
            spec: {replicas: 3, template: {spec: {volumes: []}}}
            """, StatefulSet.class);
    }

    /** The same member under another label. */
    static Member labelled(Member member, String role) {
        Optional<Pod> pod = member.pod()
                .map(one -> new PodBuilder(one)
                        .editMetadata()
                        .withLabels(role.isEmpty() ? Map.of() : Map.of(ClusterNames.ROLE, role))
                        .endMetadata()
                        .build());
        return with(member, pod, member.state());
    }

    /** The same member, read-only, which follows nobody. */
    static Member standing(Member member) {
        return with(member, member.pod(), member.state().map(state -> readOnly(state, Optional.empty())));
    }

    /** The same member, read-only. */
    static Member closed(Member member) {
        return with(member, member.pod(), member.state().map(state -> readOnly(state, state.replication())));
    }

    private static ServerState readOnly(ServerState state, Optional<Replication> replication) {
        return new ServerState(
                state.flavor(),
                state.version(),
                state.serverId(),
                state.writer(),
                true,
                state.history(),
                state.applied(),
                state.own(),
                replication,
                state.incomplete(),
                state.passesOverOwn(),
                state.acknowledgements(),
                Optional.empty());
    }

    private static Member with(Member member, Optional<Pod> pod, Optional<ServerState> state) {
        return new Member(
                member.ordinal(),
                member.name(),
                pod,
                member.endpoint(),
                state,
                member.failure(),
                member.disk(),
                member.load(),
                member.events(),
                member.encryption());
    }

    static String name(int ordinal) {
        return ClusterNames.pod("db", ordinal);
    }

    static Endpoint endpoint(int ordinal) {
        return new Endpoint("127.0.0." + (11 + ordinal), ClusterNames.PORT);
    }

    private static String uuid(int server) {
        return "%dc000000-0000-0000-0000-000000000000".formatted(server);
    }
}

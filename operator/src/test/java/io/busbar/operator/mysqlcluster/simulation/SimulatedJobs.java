package io.busbar.operator.mysqlcluster.simulation;

import io.busbar.operator.mysqlcluster.sql.PhysicalCopy;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Jobs, each of which is done within a second: copies from server to server, and what comes out of a backup, whose file
 * is never spoilt here. For one thread.
 */
final class SimulatedJobs {

    /** Seconds that a Job waits for its donor. */
    private static final int PATIENCE = 60;

    private final InMemoryContext<?> objects;
    private final KnownObjects known;
    private final SimulatedServers servers;
    private final Set<Transaction> backedUp = new LinkedHashSet<>();
    private boolean fails;
    private int toBreakOff;
    private boolean held;
    private int segments;
    private int since = 1;
    private String sincePosition = "";
    private String brokenArchive = "";
    private boolean loaded;

    /** How many seconds a copy takes from when its donor was read until the member is touched. */
    private int seconds;

    /** Since when Jobs wait for their donors to come to have all, by the uid of the Job. */
    private final Map<String, Integer> waiting = new HashMap<>();

    /** What was read from donors, by the uid of the Job. */
    private final Map<String, Dump> dumps = new HashMap<>();

    /** Immutable. */
    private record Dump(Set<Transaction> rows, String history, String position, int due) {}

    /** Since when data files are copied to a server, by its Pod. */
    private final Map<String, Integer> began = new HashMap<>();

    private int second;

    SimulatedJobs(InMemoryContext<?> objects, KnownObjects known, SimulatedServers servers) {
        this.objects = objects;
        this.known = known;
        this.servers = servers;
    }

    /** All that are run from now on. */
    void fail(boolean fail) {
        fails = fail;
    }

    /** So many copies end when half of what they give is there; its position is, too. */
    void breakOff(int copies) {
        toBreakOff = copies;
    }

    /** None gets done. */
    void hold(boolean hold) {
        held = hold;
    }

    void takeTime(int secondsOfCopy) {
        seconds = secondsOfCopy;
    }

    /** The file that Jobs read from now on holds what a server has. @return where that stands */
    String backUp(SimulatedServer source) {
        backedUp.clear();
        backedUp.addAll(source.rows);
        return source.dumped();
    }

    void run() {
        second++;
        if (!held) {
            known.list(Job.class).forEach(this::run);
            servers.all().forEach(this::copy);
        }
    }

    /** As a server of MySQL does by itself that is to copy another's data files, and the Pod of one of MariaDB. */
    private void copy(SimulatedServer target) {
        PhysicalCopy copy = target.physical;
        boolean goesOn = target.isTakingFiles() || (target.up && !target.silent);
        if (copy == null || copy.stage() != PhysicalCopy.Stage.UNDER_WAY || !goesOn) {
            began.remove(target.pod);
            return;
        }
        SimulatedServer donor = servers.all().stream()
                .filter(one -> one.endpoint.equals(target.donor))
                .findFirst()
                .orElseThrow();
        if (fails || toBreakOff > 0 || !donor.up) {
            toBreakOff = Math.max(0, toBreakOff - 1);
            began.remove(target.pod);
            target.breakOff("cannot connect");
        } else if (second - began.computeIfAbsent(target.pod, pod -> second) >= seconds) {
            began.remove(target.pod);
            if (target.isTakingFiles()) {
                target.takeFiles(donor);
            } else {
                target.endCopy(donor);
            }
        }
    }

    private void run(Job job) {
        if (job.getStatus() != null && !job.getStatus().getConditions().isEmpty()) {
            return;
        }
        Optional<SimulatedServer> source = server(job, "SOURCE_HOST");
        if (source.isPresent()) {
            archive(job, source.get());
            return;
        }
        boolean isCopy = variable(job, "DONOR_HOST").isPresent();
        Optional<SimulatedServer> donor = server(job, isCopy ? "DONOR_HOST" : "OUTSIDE_HOST");
        Optional<SimulatedServer> target = server(job, "TARGET_HOST");
        Dump dump = dumps.get(job.getMetadata().getUid());
        if (dump == null
                && !fails
                && donor.filter(one -> one.up && !hasRequired(job, one)).isPresent()) {
            if (second - waiting.computeIfAbsent(job.getMetadata().getUid(), uid -> second) > PATIENCE) {
                end(job, false, "{\"message\":\"it does not come to have all\"}");
            }
            return;
        }
        if (dump == null && !fails && donor.filter(one -> one.up).isPresent()) {
            dump = new Dump(
                    new LinkedHashSet<>(donor.get().rows),
                    donor.get().history().text(),
                    donor.get().dumped(),
                    second + seconds);
            dumps.put(job.getMetadata().getUid(), dump);
        }
        if (dump != null && second < dump.due()) {
            return;
        }
        String trouble = fails || (dump == null && donor.isPresent())
                ? "cannot connect"
                : target.map(one -> objection(job, one, isCopy)).orElse("");
        if (!trouble.isEmpty()) {
            end(job, false, "{\"message\":\"" + trouble + "\"}");
            return;
        }
        Dump taken = dump;
        target.ifPresent(server -> load(server, taken));
        if (toBreakOff > 0 && donor.isPresent()) {
            toBreakOff--;
            end(job, false, "{\"message\":\"cannot connect any more\"}");
            return;
        }
        end(job, true, taken == null ? "{}" : "{\"gtid\":\"" + taken.position() + "\"}");
    }

    /** What is archived next does not follow on what was before. */
    void breakArchive(String reason) {
        brokenArchive = reason;
    }

    private void archive(Job job, SimulatedServer primary) {
        if (fails || !primary.up || primary.readOnly) {
            end(job, false, "{\"message\":\"cannot connect\"}");
            return;
        }
        segments++;
        String position = primary.history().text();
        String broken = "";
        if (!brokenArchive.isEmpty()) {
            since = segments;
            sincePosition = position;
            broken = ",\"broken\":\"" + brokenArchive + "\",\"message\":\"some are gone\"";
            brokenArchive = "";
        }
        end(
                job,
                true,
                "{\"position\":\"%s\",\"lastSegment\":\"%d\",\"since\":\"%d\",\"sincePosition\":\"%s\",\"lastEventTime\":\"%s\"%s}"
                        .formatted(position, segments, since, sincePosition, "2026-01-01T00:00:00Z", broken));
    }

    private static boolean hasRequired(Job job, SimulatedServer donor) {
        Position required =
                Position.of(Flavor.MARIADB, variable(job, "REQUIRED_POSITION").orElse(""));
        return required.upTo(donor.history()).contains(required);
    }

    /** Why a Job does not touch a server: it is not as it was when the Job was asked for. */
    private String objection(Job job, SimulatedServer target, boolean copy) {
        if (!target.up) {
            return "cannot connect";
        }
        if (!variable(job, "TARGET_WRITER").orElseThrow().equals(Long.toString(target.id))) {
            return "it is another server";
        }
        if (!target.readOnly || target.link != null) {
            return "it is in use";
        }
        if (copy ? servers.isFollowed(target) : !target.incomplete) {
            return copy ? "another follows it" : "it is complete";
        }
        String position = variable(job, "TARGET_POSITION").orElseThrow();
        return position.equals(target.history().text()) ? "" : "it has moved";
    }

    private void load(SimulatedServer target, @Nullable Dump dump) {
        target.closeClients();
        target.erase();
        target.rows.addAll(dump == null ? load() : dump.rows());
        if (toBreakOff > 0 && dump != null && !dump.rows().isEmpty()) {
            target.standAt(dump.history());
            target.rows.remove(target.rows.iterator().next());
        }
    }

    /** Whatever clients are told after the first time is to stay. */
    private Set<Transaction> load() {
        if (!loaded) {
            servers.forgetAllBut(backedUp);
        }
        loaded = true;
        return backedUp;
    }

    private Optional<SimulatedServer> server(Job job, String variable) {
        return variable(job, variable)
                .map(host -> servers.all().stream()
                        .filter(server -> server.endpoint.host().equals(host))
                        .findFirst()
                        .orElseThrow());
    }

    private static Optional<String> variable(Job job, String name) {
        return job.getSpec().getTemplate().getSpec().getContainers().get(0).getEnv().stream()
                .filter(one -> one.getName().equals(name))
                .map(one -> Objects.requireNonNullElse(one.getValue(), ""))
                .findFirst();
    }

    private void end(Job job, boolean works, String message) {
        objects.put(new JobBuilder(job)
                .withNewStatus()
                .addNewCondition()
                .withType(works ? "Complete" : "Failed")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build());
        objects.put(new PodBuilder()
                .withNewMetadata()
                .withName(job.getMetadata().getName())
                .withNamespace("default")
                .addToLabels("job-name", job.getMetadata().getName())
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withUid(job.getMetadata().getUid())
                        .build())
                .endMetadata()
                .withNewStatus()
                .addNewContainerStatus()
                .withNewState()
                .withNewTerminated()
                .withMessage(message)
                .endTerminated()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build());
    }
}

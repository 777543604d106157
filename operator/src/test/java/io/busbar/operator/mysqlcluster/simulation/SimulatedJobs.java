package io.busbar.operator.mysqlcluster.simulation;

import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Jobs, each of which is done within a second: copies from server to server, and what comes out of a backup, whose file is never spoilt here.
 * For one thread.
 */
final class SimulatedJobs {

    private final InMemoryContext<?> objects;
    private final SimulatedServers servers;
    private final Set<Transaction> backedUp = new LinkedHashSet<>();
    private boolean fails;
    private boolean held;
    private boolean loaded;

    SimulatedJobs(InMemoryContext<?> objects, SimulatedServers servers) {
        this.objects = objects;
        this.servers = servers;
    }

    /** All that are run from now on. */
    void fail(boolean fail) {
        fails = fail;
    }

    /** None gets done. */
    void hold(boolean hold) {
        held = hold;
    }

    /** The file that Jobs read from now on holds what a server has. @return where that stands */
    String backUp(SimulatedServer source) {
        backedUp.clear();
        backedUp.addAll(source.rows);
        return source.dumped();
    }

    void run() {
        if (!held) {
            objects.list(Job.class).forEach(this::run);
        }
    }

    private void run(Job job) {
        if (job.getStatus() != null && !job.getStatus().getConditions().isEmpty()) {
            return;
        }
        Optional<SimulatedServer> donor = server(job, "DONOR_HOST");
        Optional<SimulatedServer> target = server(job, "TARGET_HOST");
        boolean works = !fails
                && donor.map(one -> one.up).orElse(true)
                && target.map(one -> one.up).orElse(true);
        if (works && target.isPresent()) {
            target.get().rows.clear();
            target.get().rows.addAll(donor.map(one -> one.rows).orElseGet(this::load));
        }
        String said = donor.map(one -> "{\"gtid\":\"" + one.dumped() + "\"}").orElse("{}");
        end(job, works, works ? said : "{\"message\":\"cannot connect\"}");
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
        return job.getSpec().getTemplate().getSpec().getContainers().get(0).getEnv().stream()
                .filter(one -> one.getName().equals(variable))
                .map(EnvVar::getValue)
                .findFirst()
                .map(host -> servers.all().stream()
                        .filter(server -> server.endpoint.host().equals(host))
                        .findFirst()
                        .orElseThrow());
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

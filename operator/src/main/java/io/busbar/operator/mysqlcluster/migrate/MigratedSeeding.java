package io.busbar.operator.mysqlcluster.migrate;

import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.decide.Filling;
import io.busbar.operator.mysqlcluster.decide.Seeding;
import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.Migration;
import io.busbar.operator.mysqlcluster.objects.ServerConfig;
import io.busbar.operator.mysqlcluster.objects.Texts;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.observe.Outside;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.SourceState;
import io.busbar.operator.mysqlcluster.v1alpha1.ExternalPrimary;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.SecretRef;
import io.busbar.operator.mysqlcluster.version.Release;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;

/**
 * Lets a new cluster begin with the databases of a server outside, where it asks for one, and stand where that one stood
 * when they were dumped. A server that has some beginning of what that one has was given it before. Pure; any thread.
 */
public final class MigratedSeeding implements Seeding {

    private static final String SCRIPT = Texts.beside(MigratedSeeding.class, "migrate.sh");

    /** Of the largest dump that is of use. */
    private static final Duration LONGEST = Duration.ofDays(7);

    private final Seeding otherwise;

    /** @param otherwise of clusters that follow none */
    public MigratedSeeding(Seeding otherwise) {
        this.otherwise = otherwise;
    }

    @Override
    public boolean isSeeded(Observation seen, Member first, Draft draft) {
        if (!seen.isMigrating()) {
            return otherwise.isSeeded(seen, first, draft);
        }
        Outside outside = seen.outside().orElseThrow();
        draft.note(
                ClusterReasons.EXTERNAL_PRIMARY_COPIED,
                first.name() + " is given the databases of " + outside.endpoint());
        Optional<Job> job = Filling.running(seen, jobName(seen.cluster()));
        if (job.isEmpty() && outside.state().isEmpty() && outside.failure().isEmpty()) {
            return false; // The Job ran when this turn began: the next one asks.
        }
        Optional<String> refusal = refusal(first.state().orElseThrow(), outside);
        if (refusal.isPresent() && job.isEmpty()) {
            draft.trouble(
                    ClusterReasons.EXTERNAL_PRIMARY_REFUSED, "ExternalPrimaryRefused", "Bootstrap", refusal.get());
            return false;
        }
        if (job.isEmpty() && !first.isBlank() && !first.isIncomplete()) {
            return isBeginning(draft, first, outside);
        }
        if (job.isEmpty() && !first.isIncomplete() && !outside.suspects().isEmpty()) {
            draft.warn(
                    "NotTransactional",
                    "Bootstrap",
                    "what is written meanwhile to tables whose engine knows no transactions may be copied twice, or not"
                            + " at all: " + String.join(", ", outside.suspects()));
        }
        new Filling(
                        jobName(seen.cluster()),
                        outside.endpoint().toString(),
                        "see that the account may read and lock all of it, and replicate",
                        erased -> job(seen, erased),
                        report -> report.text("gtid"))
                .goOn(seen, draft, first);
        return false;
    }

    /** Whether a Job copies the server outside into the first member. */
    public static boolean isUnderWay(MySQLCluster cluster, Collection<Job> jobs) {
        String name = jobName(cluster);
        return jobs.stream().anyMatch(job -> job.getMetadata().getName().equals(name) && !job.isMarkedForDeletion());
    }

    /** Why a server cannot be copied, or not be followed afterwards. */
    private static Optional<String> refusal(ServerState first, Outside outside) {
        SourceState there = outside.state().orElse(null);
        if (there == null) {
            return Optional.of(outside.failure().orElse(outside.endpoint() + " was not asked yet"));
        }
        String which = outside.endpoint() + ", " + there.version() + ", ";
        if (there.flavor() != first.flavor()) {
            return Optional.of(which + "is not of the product of the cluster's servers, " + first.version()
                    + ": a cluster follows its own product alone");
        }
        if (!there.logs()) {
            return Optional.of(which + "has no binary log: set log_bin there, and restart it");
        }
        if (!there.identifies()) {
            return Optional.of(which + "gives its transactions no GTIDs: set gtid_mode=ON there, and"
                    + " enforce_gtid_consistency=ON");
        }
        Optional<Release> newer = Release.ofServer(there.version())
                .filter(release -> Release.ofServer(first.version())
                        .filter(release::isOfLaterSeriesThan)
                        .isPresent());
        if (newer.isPresent()) {
            return Optional.of(which + "is newer than the cluster's servers, " + first.version()
                    + ": make spec.image at least as new");
        }
        return there.serverIds().stream()
                .filter(ServerConfig::isOfMembers)
                .sorted()
                .findFirst()
                .map(id -> which + "has transactions of the server_id " + id
                        + ", which a member of the cluster has, too, and so would not take them: MariaDB tells by it who"
                        + " wrote. Dump it, and load the dump");
    }

    /** Whether what a server has is of the server outside. */
    private static boolean isBeginning(Draft draft, Member first, Outside outside) {
        SourceState there = outside.state().orElseThrow();
        ServerState here = first.state().orElseThrow();
        if (there.history().contains(here.history())) {
            return true;
        }
        draft.trouble(
                ClusterReasons.VOLUMES_HAVE_DATA,
                "VolumesHaveData",
                "Bootstrap",
                first.name() + " has data already, up to " + here.history().text() + ", which " + outside.endpoint()
                        + " does not have, up to " + there.history().text()
                        + ": to begin with what that one has, delete the members' PersistentVolumeClaims and Pods; to go on"
                        + " with what is there, leave spec.bootstrapFrom out of a MySQLCluster that you make anew");
        return false;
    }

    private static String jobName(MySQLCluster cluster) {
        return cluster.getMetadata().getName() + "-bootstrap";
    }

    private static Job job(Observation seen, Member erased) {
        ExternalPrimary outside = Migration.asked(seen.cluster()).orElseThrow();
        Job job = new ClusterJobs(seen.cluster()).running(jobName(seen.cluster()), SCRIPT);
        job.getSpec().setActiveDeadlineSeconds(LONGEST.toSeconds());
        ClusterJobs.variable(job, "OUTSIDE_HOST", outside.host());
        ClusterJobs.variable(job, "OUTSIDE_PORT", String.valueOf(outside.port()));
        secret(job, "OUTSIDE_USER", outside.credentialsSecretRef(), "username");
        secret(job, "OUTSIDE_PASSWORD", outside.credentialsSecretRef(), "password");
        ClusterJobs.variable(job, "OUTSIDE_TLS", outside.tls().mode().name());
        SecretRef authorities = outside.tls().caSecretRef();
        if (authorities != null) {
            ClusterJobs.variable(job, "OUTSIDE_CA", Migration.AUTHORITIES);
            Migration.mount(job.getSpec().getTemplate().getSpec(), authorities);
        }
        ClusterJobs.target(job, erased.endpoint().orElseThrow(), erased.state().orElseThrow());
        return job;
    }

    /** The Pod waits where it is missing. */
    private static void secret(Job job, String variable, SecretRef secret, String key) {
        ClusterJobs.container(job)
                .getEnv()
                .add(new EnvVarBuilder()
                        .withName(variable)
                        .withNewValueFrom()
                        .withNewSecretKeyRef(key, secret.name(), false)
                        .endValueFrom()
                        .build());
    }
}

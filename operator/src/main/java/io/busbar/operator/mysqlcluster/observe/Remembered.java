package io.busbar.operator.mysqlcluster.observe;

import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.Application;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an operator keeps of a cluster from turn to turn, so that it need not ask for it each time.
 *
 * <p>Immutable.
 *
 * @param failedDonor of whom the last dump was taken, where that could not be loaded: another one is asked before it is
 *     asked again
 * @param events when the primary was asked for its events last
 * @param programs where programs are known to be let in
 * @param passwords where they are known to be as the Secret has them
 * @param exporter where its account is known to be as it should
 * @param awaited what replicas were seen to lack, by their names
 * @param sightings since when it has seen what still holds
 * @param reloaded when servers were last told to load their certificates again, by a clock that nobody sets
 */
public record Remembered(
        Optional<Endpoint> failedDonor,
        Optional<EventsSeen> events,
        Optional<Programs> programs,
        Optional<PasswordsKnown> passwords,
        Optional<ExporterKnown> exporter,
        Map<String, Awaited> awaited,
        Sightings sightings,
        Optional<Instant> reloaded) {

    public Remembered {
        awaited = Map.copyOf(awaited);
    }

    /** How long what is known of events counts. */
    private static final Duration VALID = Duration.ofSeconds(30);

    public static final Remembered NOTHING = new Remembered(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            Sightings.NONE,
            Optional.empty());

    /**
     * Of which primary, and when.
     *
     * <p>Immutable.
     */
    public record EventsSeen(String primary, Instant at) {}

    /**
     * Which members let programs in.
     *
     * <p>Immutable.
     *
     * @param pods of the members, by their UIDs
     * @param hasDatabase whether the primary has the programs' database, and so all that follow it
     */
    public record Programs(Application application, Set<String> pods, boolean hasDatabase) {

        public Programs {
            pods = Set.copyOf(pods);
        }
    }

    /**
     * Which members have the passwords that the Secret has at one stage of a change, or follow with them.
     *
     * <p>Immutable.
     *
     * @param pods of the members, by their UIDs
     */
    public record PasswordsKnown(RotationProgress rotation, Set<String> pods) {

        public PasswordsKnown {
            pods = Set.copyOf(pods);
        }
    }

    /**
     * Which members have the account of the exporter as it should be.
     *
     * <p>Immutable.
     *
     * @param account empty where there is to be none
     * @param pods of the members, by their UIDs
     */
    public record ExporterKnown(Optional<Account> account, Set<String> pods) {

        public ExporterKnown {
            pods = Set.copyOf(pods);
        }
    }

    /** Whether a primary was asked for its events, and need not be again. */
    public boolean hasSeenEvents(@Nullable String primary, Instant now) {
        return events.filter(last -> last.primary().equals(primary))
                .filter(last -> now.isBefore(last.at().plus(VALID)))
                .isPresent();
    }

    public Remembered withFailedDonor(Endpoint donor) {
        return new Remembered(Optional.of(donor), events, programs, passwords, exporter, awaited, sightings, reloaded);
    }

    public Remembered withoutFailedDonor() {
        return new Remembered(Optional.empty(), events, programs, passwords, exporter, awaited, sightings, reloaded);
    }

    public Remembered withEvents(EventsSeen seen) {
        return new Remembered(
                failedDonor, Optional.of(seen), programs, passwords, exporter, awaited, sightings, reloaded);
    }

    public Remembered withPrograms(Programs known) {
        return new Remembered(
                failedDonor, events, Optional.of(known), passwords, exporter, awaited, sightings, reloaded);
    }

    public Remembered withPasswords(PasswordsKnown known) {
        return new Remembered(
                failedDonor, events, programs, Optional.of(known), exporter, awaited, sightings, reloaded);
    }

    public Remembered withExporter(ExporterKnown known) {
        return new Remembered(
                failedDonor, events, programs, passwords, Optional.of(known), awaited, sightings, reloaded);
    }

    public Remembered withAwaited(Map<String, Awaited> lacking) {
        return new Remembered(failedDonor, events, programs, passwords, exporter, lacking, sightings, reloaded);
    }

    public Remembered withReloaded(Instant at) {
        return new Remembered(failedDonor, events, programs, passwords, exporter, awaited, sightings, Optional.of(at));
    }

    /** With what holds in what is seen now, and nothing else. */
    public Remembered sighting(Observation seen) {
        return new Remembered(
                failedDonor, events, programs, passwords, exporter, awaited, sightings.of(seen), reloaded);
    }

    /** After the data of the cluster was replaced. */
    public Remembered ofOtherData() {
        return new Remembered(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                sightings,
                reloaded);
    }
}

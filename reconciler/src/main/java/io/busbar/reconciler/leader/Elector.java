package io.busbar.reconciler.leader;

import io.busbar.common.guard.Thrown;
import io.busbar.reconciler.leader.LeaderElectionOptions.Candidacy;
import io.busbar.reconciler.leader.LeaseRequest.Kind;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Competes for a lease: decides what to ask the API server next, and when the fence is open.
 *
 * <p>What keeps two fences from being open at once:
 *
 * <ul>
 *   <li>A leader's time is counted from before its write was sent; what another has written is valid from when its
 *       answer was here. So however long requests and answers take, the others begin to wait after the leader has begun
 *       to count.
 *   <li>The lease is another's for the duration that stands in it, counted on our own clock since we last saw it
 *       change. It is longer than the leader's time by a margin ({@link LeaderElectionOptions}), in which clocks may go
 *       wrong. Times in it are for people.
 *   <li>Every write names the resourceVersion that it is based on, so that of several only one succeeds, and a late one
 *       fails.
 *   <li>Every write changes the lease, as the API server would drop one that does not, and nobody would see it.
 *   <li>Who takes over ({@link LeaderElectionOptions#takesOver}) writes itself into a lease that is another's, so that
 * no renewal of the       other succeeds any more, and then waits as if it had not: it leads once the lease that it has
 * taken would have ended. Until then       the lease that it holds is at least as long as that one, for whoever takes
 * it over in turn, or finds it orphaned.   <li>Who is to be alone ({@link LeaderElectionOptions.Candidacy#ALONE}) and
 * could not renew in time pauses with its fence shut. It
 *       goes on by a renewal as any other, and only while the lease names nobody but itself.
 * </ul>
 *
 * The steps of an attempt are {@link #begin}, then {@link #answered} or {@link #failed} for each request, until there
 * is a {@link Standing}. One thread; only {@link #attempt} blocks.
 */
final class Elector {

    private static final Logger log = LoggerFactory.getLogger(Elector.class);
    private static final Duration LONG = Duration.ofDays(1);

    private final LeaderElectionOptions options;
    private final String identity;
    private final Fence fence;
    private final LongSupplier nanos;
    private final Clock clock;
    private final Runnable slowPath;
    private final boolean alone;
    /** As the API server last said it is; a lease that was deleted stays here. */
    private @Nullable Lease observed;
    /** When its resourceVersion was new to us. */
    private long observedAt;

    /** Whether we hold the lease, as far as we know: who takes over holds it for a while before it leads. */
    private boolean holds;
    /** From when on we may lead, where we have taken the lease from another. */
    private @Nullable Long leadsFrom;
    /** The length of that lease. */
    private int takenSeconds;

    private boolean leads;
    /** Whether it led, could not renew in time, and waits to go on. */
    private boolean pauses;
    /** When the last write that succeeded was sent. */
    private long renewalBegun;
    /** Whether the write that is asked for now is to create the lease. */
    private boolean creates;
    /** What is asked for now. */
    private Phase phase = Phase.READING;
    /** When the write that is asked for now was sent. */
    private long writeBegun;

    private enum Phase {
        /** Writes by what was written last, without reading it again: nobody else writes while all is well. */
        RENEWING,
        READING,
        /** Writes by what was read just now. */
        WRITING
    }

    /**
     * @param nanos the clock of the fence
     * @param clock what is written into the lease
     * @param slowPath told when a renewal could not go by what was written last
     */
    Elector(
            LeaderElectionOptions options,
            String identity,
            Fence fence,
            LongSupplier nanos,
            Clock clock,
            Runnable slowPath) {
        this.options = options;
        this.identity = identity;
        this.fence = fence;
        this.nanos = nanos;
        this.clock = clock;
        this.slowPath = slowPath;
        this.alone = options.candidacy().isAlone();
    }

    /**
     * Tries to renew the lease, or to get it: all steps in one; blocks. Another attempt may follow whatever this one
     * throws.
     */
    Standing attempt(Leases leases) {
        Step step = begin();
        while (step instanceof LeaseRequest request) {
            step = next(request, leases);
        }
        return (Standing) step;
    }

    private Step next(LeaseRequest request, Leases leases) {
        Lease answer;
        try {
            answer = request.sendTo(leases);
        } catch (KubernetesClientException failure) {
            return failed(failure);
        }
        return answered(answer);
    }

    /** Begins an attempt, whatever became of the one before. */
    Step begin() {
        if (isOver() && !pausesInstead()) {
            return lose("it was not renewed within " + options.renewDeadline().toSeconds() + " s");
        }
        Lease written = observed;
        return leads && !pauses && written != null ? write(Phase.RENEWING, Kind.UPDATE, written) : read();
    }

    /**
     * Goes on with the answer to the last request.
     *
     * @param lease null when there is none to read
     */
    Step answered(@Nullable Lease lease) {
        return phase == Phase.READING ? compete(lease) : led(Objects.requireNonNull(lease, "no lease was written"));
    }

    /** Goes on without an answer to the last request, which may have been carried out all the same. */
    Step failed(KubernetesClientException failure) {
        boolean absent = failure.getCode() == 404 && phase == Phase.WRITING && creates;
        if (alone && (failure.getCode() == 403 || absent)) {
            fence.openForGood();
            return new Standing.Unguarded(Thrown.messageOrText(failure));
        }
        if (isOver() && !pausesInstead()) {
            return lose(
                    "it was not renewed within " + options.renewDeadline().toSeconds() + " s: " + failure.getMessage());
        }
        if (phase == Phase.RENEWING) {
            slowPath.run();
            log.atDebug().addKeyValue("reason", failure.getMessage()).log("reading the lease again to renew it");
            return read();
        }
        boolean outrun = failure.getCode() == 409;
        (outrun || pauses ? log.atDebug() : log.atWarn())
                .addKeyValue("lease", options.lease())
                .addKeyValue("reason", failure.getMessage())
                .log(leads ? "the lease was not renewed yet" : "the lease cannot be competed for");
        return leads ? new Standing.Leads() : new Standing.Follows(LONG);
    }

    /** Whether this one need not lose what it could not renew in time: it shuts the fence, and may open it again. */
    private boolean pausesInstead() {
        if (!alone) {
            return false;
        }
        if (!pauses) {
            pauses = true;
            fence.shut();
            log.atWarn()
                    .addKeyValue("lease", options.lease())
                    .addKeyValue("seconds", options.renewDeadline().toSeconds())
                    .log("the lease was not renewed in time: nothing is written until it is");
        }
        return true;
    }

    /** As it was last seen. */
    @Nullable
    Lease lease() {
        return observed;
    }

    /**
     * Shuts the fence for good.
     *
     * @return what gives the lease up, if it is ours, so that another need not wait for its end; else null
     */
    @Nullable
    LeaseRequest release() {
        fence.shut();
        Lease held = observed;
        if (!leads || held == null || isOver()) {
            return null;
        }
        Duration timeout = timeout();
        leads = false;
        ZonedDateTime now = now();
        Lease released = new LeaseBuilder(held)
                .editSpec()
                .withHolderIdentity("")
                .withLeaseDurationSeconds(1)
                .withRenewTime(now)
                .withAcquireTime(now)
                .endSpec()
                .build();
        return new LeaseRequest(Kind.UPDATE, released, timeout);
    }

    private LeaseRequest read() {
        phase = Phase.READING;
        return new LeaseRequest(Kind.READ, null, timeout());
    }

    private LeaseRequest write(Phase why, Kind kind, @Nullable Lease stored) {
        phase = why;
        creates = kind == Kind.CREATE;
        writeBegun = nanos.getAsLong();
        return new LeaseRequest(kind, ours(stored), timeout());
    }

    private Step compete(@Nullable Lease stored) {
        if (stored != null) {
            observe(stored, nanos.getAsLong());
        }
        if (isOver() && !pausesInstead()) {
            return lose("it was not renewed within " + options.renewDeadline().toSeconds() + " s");
        }
        String holder = otherHolder();
        if (stored == null) {
            // Who holds a lease that somebody has deleted does not know it yet: whoever has seen it waits as if it were
            // there.
            Duration valid = holder == null ? Duration.ZERO : validity();
            return valid.isZero() || valid.isNegative()
                    ? write(Phase.WRITING, Kind.CREATE, null)
                    : new Standing.Follows(valid);
        }
        if (holder != null && (leads || (holds && options.takesOver()))) {
            return lose("it is held by " + holder);
        }
        if (pauses && !holdsInName(stored)) {
            return lose("another has held it meanwhile");
        }
        Duration valid = holder == null ? Duration.ZERO : validity();
        if (valid.isZero() || valid.isNegative()) {
            return write(Phase.WRITING, Kind.UPDATE, stored);
        }
        if (!options.takesOver()) {
            return new Standing.Follows(valid);
        }
        leadsFrom = observedAt + whole().toNanos();
        takenSeconds = Math.toIntExact(whole().plusNanos(999_999_999).toSeconds());
        log.atInfo()
                .addKeyValue("lease", options.lease())
                .addKeyValue("from", holder)
                .addKeyValue("seconds", valid.toSeconds())
                .log("taking over: leads once the other certainly writes no more");
        return write(Phase.WRITING, Kind.UPDATE, stored);
    }

    private Standing led(Lease written) {
        if (isOver() && !pausesInstead()) {
            return lose("it was renewed too late"); // what the fence has stopped does not go on
        }
        observe(written, writeBegun);
        holds = true;
        Duration wait = untilWeMayLead();
        if (!wait.isZero()) {
            return new Standing.Follows(wait);
        }
        if ((!leads || pauses) && left(writeBegun).isNegative()) {
            return new Standing.Follows(Duration.ZERO); // ours, but the time to write is over: to be renewed first
        }
        if (pauses) {
            log.atInfo().addKeyValue("lease", options.lease()).log("the lease is renewed: goes on");
        }
        leads = true;
        pauses = false;
        renewalBegun = writeBegun;
        fence.openUntil(writeBegun + options.renewDeadline().toNanos());
        return new Standing.Leads();
    }

    private Standing lose(String reason) {
        leads = false;
        holds = false;
        pauses = false;
        fence.shut();
        return new Standing.Lost(reason);
    }

    private void observe(Lease lease, long at) {
        Lease before = observed;
        // Not by its content: a clock of another that was put back may give a renewal the content of one before.
        if (before == null || !Objects.equals(version(before), version(lease))) {
            observedAt = at;
        }
        observed = lease;
    }

    private static @Nullable String version(Lease lease) {
        return lease.getMetadata().getResourceVersion();
    }

    /** Who holds what we observed; null when that is nobody, or us, or who we were before this process. */
    @Nullable
    String otherHolder() {
        LeaseSpec spec = observed == null ? null : observed.getSpec();
        String holder = spec == null ? null : spec.getHolderIdentity();
        boolean nobodyElse = holder == null || holder.isEmpty() || holder.equals(identity) || isFormer(holder);
        return nobodyElse ? null : holder;
    }

    private boolean isFormer(String holder) {
        return options.candidacy() == Candidacy.ALONE_IN_POD && place(holder).equals(place(identity));
    }

    /** Without what tells the processes of one place from each other. */
    private static String place(String identity) {
        int end = identity.lastIndexOf('_');
        return end < 0 ? identity : identity.substring(0, end);
    }

    private boolean holdsInName(Lease stored) {
        return stored.getSpec() != null && identity.equals(stored.getSpec().getHolderIdentity());
    }

    /** For how long what we observed is another's; not positive when it no longer is. */
    private Duration validity() {
        return whole().minusNanos(nanos.getAsLong() - observedAt);
    }

    /** How long the lease is that we observed. */
    private Duration whole() {
        LeaseSpec spec = observed == null ? null : observed.getSpec();
        Integer seconds = spec == null ? null : spec.getLeaseDurationSeconds();
        return seconds == null ? options.leaseDuration() : Duration.ofSeconds(seconds);
    }

    /** Zero where we have taken the lease from nobody, or from one whose time is over. */
    private Duration untilWeMayLead() {
        Long from = leadsFrom;
        if (from == null) {
            return Duration.ZERO;
        }
        long left = from - nanos.getAsLong();
        if (left > 0) {
            return Duration.ofNanos(left);
        }
        leadsFrom = null;
        return Duration.ZERO;
    }

    /** Whether we led, and the fence has fallen, or does so now. */
    private boolean isOver() {
        return leads && left(renewalBegun).compareTo(Duration.ZERO) <= 0;
    }

    /** Of the time in which a leader may write. */
    private Duration left(long begun) {
        return options.renewDeadline().minusNanos(nanos.getAsLong() - begun);
    }

    /** Leaves time for a second request. */
    private Duration timeout() {
        Duration half = options.renewDeadline().dividedBy(2);
        Duration left = leads && !pauses ? left(renewalBegun) : half;
        Duration shorter = left.compareTo(half) < 0 ? left : half;
        return shorter.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : shorter;
    }

    private Lease ours(@Nullable Lease stored) {
        LeaseSpec before = stored == null || stored.getSpec() == null ? new LeaseSpec() : stored.getSpec();
        int transitions = Objects.requireNonNullElse(before.getLeaseTransitions(), 0);
        boolean same = identity.equals(before.getHolderIdentity());
        ZonedDateTime now = now();
        if (now.equals(before.getRenewTime())) {
            now = now.plus(
                    1, ChronoUnit.MICROS); // the clock stands still, or was put back: the write is to change something
        }
        LeaseBuilder lease = stored == null
                ? new LeaseBuilder()
                        .withMetadata(new ObjectMetaBuilder()
                                .withName(options.lease().name())
                                .withNamespace(options.lease().namespace())
                                .build())
                : new LeaseBuilder(stored);
        int seconds = options.leaseSeconds();
        if (!untilWeMayLead().isZero()) {
            seconds = Math.max(seconds, takenSeconds);
        }
        TakeOver.mark(lease, options.takesOver() ? identity : null);
        return lease.editOrNewSpec()
                .withHolderIdentity(identity)
                .withLeaseDurationSeconds(seconds)
                .withAcquireTime(same && before.getAcquireTime() != null ? before.getAcquireTime() : now)
                .withRenewTime(now)
                .withLeaseTransitions(same || stored == null ? transitions : transitions + 1)
                .endSpec()
                .build();
    }

    /** To the microsecond, as the API has times. */
    private ZonedDateTime now() {
        return clock.instant().atZone(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
    }
}

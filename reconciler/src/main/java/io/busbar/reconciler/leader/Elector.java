package io.busbar.reconciler.leader;

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
 * Competes for a lease, by client-go's rules: a lease is another's for its duration, counted on our own clock from when we saw it
 * change; times in it are for people. Every write names the resourceVersion that it is based on, so that of several only one
 * succeeds.
 *
 * <p>One thread; blocks.
 */
final class Elector {

    private static final Logger log = LoggerFactory.getLogger(Elector.class);
    private static final Duration LONG = Duration.ofDays(1);

    private final LeaderElectionOptions options;
    private final String identity;
    private final Leases leases;
    private final Fence fence;
    private final LongSupplier nanos;
    private final Clock clock;
    private final Runnable slowPath;
    private @Nullable Lease observed;
    private long observedAt;
    private boolean leads;
    private long renewalBegun;

    /**
     * @param nanos the clock of the fence
     * @param clock what is written into the lease
     * @param slowPath told when a renewal could not go by what was written last
     */
    Elector(
            LeaderElectionOptions options,
            String identity,
            Leases leases,
            Fence fence,
            LongSupplier nanos,
            Clock clock,
            Runnable slowPath) {
        this.options = options;
        this.identity = identity;
        this.leases = leases;
        this.fence = fence;
        this.nanos = nanos;
        this.clock = clock;
        this.slowPath = slowPath;
    }

    /** Tries to renew the lease, or to get it. */
    Standing attempt() {
        if (leads && remaining().isNegative()) {
            return lose("it was not renewed within " + options.renewDeadline().toSeconds() + " s");
        }
        try {
            Lease written = observed;
            return leads && written != null ? renew(written) : compete();
        } catch (KubernetesClientException failure) {
            return failed(failure);
        }
    }

    /** As it was last seen. */
    @Nullable
    Lease lease() {
        return observed;
    }

    /** Gives the lease up, if it is ours, so that another need not wait for its end. Nothing is written from here on. */
    void release() {
        fence.shut();
        Lease held = observed;
        if (!leads || held == null || remaining().isNegative()) {
            return;
        }
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
        try {
            leases.update(released, timeout());
        } catch (KubernetesClientException failure) {
            log.atWarn().addKeyValue("reason", failure.getMessage()).log("the lease was not released; it will expire");
        }
    }

    /** By what was written last, without reading it again: nobody else writes while all is well. */
    private Standing renew(Lease written) {
        long begun = nanos.getAsLong();
        try {
            return led(leases.update(ours(written), timeout()), begun);
        } catch (KubernetesClientException failure) {
            slowPath.run();
            log.atDebug().addKeyValue("reason", failure.getMessage()).log("reading the lease again to renew it");
            return remaining().isNegative() ? attempt() : compete();
        }
    }

    private Standing compete() {
        long begun = nanos.getAsLong();
        Lease stored = leases.get(timeout());
        if (stored == null) {
            return led(leases.create(ours(null), timeout()), begun);
        }
        observe(stored, begun);
        String holder = stored.getSpec() == null ? null : stored.getSpec().getHolderIdentity();
        boolean others = holder != null && !holder.isEmpty() && !holder.equals(identity);
        Duration valid = others ? validity(stored.getSpec()) : Duration.ZERO;
        if (others && leads) {
            return lose("it is held by " + holder);
        }
        return valid.isZero() || valid.isNegative()
                ? led(leases.update(ours(stored), timeout()), begun)
                : new Standing.Follows(valid);
    }

    private Standing failed(KubernetesClientException failure) {
        if (leads && remaining().isNegative()) {
            return lose(
                    "it was not renewed within " + options.renewDeadline().toSeconds() + " s: " + failure.getMessage());
        }
        boolean outrun = failure.getCode() == 409;
        (outrun ? log.atDebug() : log.atWarn())
                .addKeyValue("lease", options.lease())
                .addKeyValue("reason", failure.getMessage())
                .log(leads ? "the lease was not renewed yet" : "the lease cannot be competed for");
        return leads ? new Standing.Leads() : new Standing.Follows(LONG);
    }

    private Standing led(Lease written, long begun) {
        if (leads && remaining().isNegative()) {
            return lose("it was renewed too late"); // what the fence has stopped does not go on
        }
        observe(written, begun);
        leads = true;
        renewalBegun = begun;
        fence.openUntil(begun + options.renewDeadline().toNanos());
        return new Standing.Leads();
    }

    private Standing lose(String reason) {
        leads = false;
        fence.shut();
        return new Standing.Lost(reason);
    }

    private void observe(Lease lease, long at) {
        Lease before = observed;
        if (before == null || !Objects.equals(before.getSpec(), lease.getSpec())) {
            observedAt = at;
        }
        observed = lease;
    }

    private Duration validity(LeaseSpec spec) {
        Integer seconds = spec.getLeaseDurationSeconds();
        Duration whole = seconds == null ? options.leaseDuration() : Duration.ofSeconds(seconds);
        return whole.minusNanos(nanos.getAsLong() - observedAt);
    }

    /** Of the time in which a leader may write. */
    private Duration remaining() {
        return options.renewDeadline().minusNanos(nanos.getAsLong() - renewalBegun);
    }

    /** Leaves time for a second request. */
    private Duration timeout() {
        Duration half = options.renewDeadline().dividedBy(2);
        Duration left = leads ? remaining() : half;
        return left.compareTo(half) < 0 ? left : half;
    }

    private Lease ours(@Nullable Lease stored) {
        LeaseSpec before = stored == null || stored.getSpec() == null ? new LeaseSpec() : stored.getSpec();
        int transitions = Objects.requireNonNullElse(before.getLeaseTransitions(), 0);
        boolean same = identity.equals(before.getHolderIdentity());
        ZonedDateTime now = now();
        LeaseBuilder lease = stored == null
                ? new LeaseBuilder()
                        .withMetadata(new ObjectMetaBuilder()
                                .withName(options.lease().name())
                                .withNamespace(options.lease().namespace())
                                .build())
                : new LeaseBuilder(stored);
        return lease.editOrNewSpec()
                .withHolderIdentity(identity)
                .withLeaseDurationSeconds(options.leaseSeconds())
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

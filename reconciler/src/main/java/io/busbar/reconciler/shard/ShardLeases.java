package io.busbar.reconciler.shard;

import io.busbar.common.MetadataKey;
import io.busbar.common.ObjectKey;
import io.busbar.reconciler.shard.ShardRequest.Seen;
import io.busbar.reconciler.write.ApiRequests;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseList;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The map and the members' Leases, as the API server has them.
 *
 * <p>One thread; blocks.
 */
public final class ShardLeases {

    /** On all of the Leases of one operator; its value is the name of the one that holds the map. */
    static final MetadataKey LABEL = MetadataKey.label(
            "shards.busbar.io/of",
            "the Leases of an operator with --shard",
            "set by the operator: the name of the Lease that says who holds which bucket");

    /** The map. */
    public static final MetadataKey MAP = MetadataKey.annotation(
            "shards.busbar.io/map",
            "the Lease of an operator with --shard",
            "set by the operator: which replica holds which buckets, for `busbar shards` to print");

    /** Who holds the Lease of the map: nobody who elects a leader ever has this name. */
    private static final String HOLDER = "shards";
    /** Nobody renews it: it is held until the last member has left. */
    private static final int FOR_GOOD_SECONDS = 1_000_000_000;

    private final ApiRequests api;
    private final ObjectKey key;
    private final Duration leaseDuration;
    private final Clock clock;
    private final String collection;
    /** The one that holds the map, as it was last read. */
    private @Nullable Lease stored;

    /** This member's, as it was last written. */
    private @Nullable Lease own;

    /**
     * @param api not fenced
     * @param key of the Lease that holds the map
     * @param clock of what is written for people
     */
    ShardLeases(ApiRequests api, ObjectKey key, Duration leaseDuration, Clock clock) {
        this.api = api;
        this.key = key;
        this.leaseDuration = leaseDuration;
        this.clock = clock;
        this.collection = "/apis/coordination.k8s.io/v1/namespaces/" + key.namespace() + "/leases";
    }

    /**
     * A map, and when each member's Lease was last renewed by its own account.
     *
     * <p>Immutable.
     */
    public record Account(ShardMap map, Map<String, ZonedDateTime> renewals) {}

    /**
     * Reads it all, for people.
     *
     * @return empty where no replicas share the work
     * @throws KubernetesClientException when the API server refuses, or is not there
     */
    public static Optional<Account> read(ApiRequests api, ObjectKey key) {
        ShardLeases leases = new ShardLeases(api, key, Duration.ZERO, Clock.systemUTC());
        LeaseList all = leases.list(api);
        Lease map = leases.holder(api, all);
        Map<String, ZonedDateTime> renewals = new HashMap<>();
        all.getItems().stream()
                .filter(lease -> lease.getSpec().getRenewTime() != null)
                .forEach(lease -> renewals.put(
                        lease.getMetadata().getName(), lease.getSpec().getRenewTime()));
        return map == null ? Optional.empty() : map(map).map(read -> new Account(read, renewals));
    }

    private LeaseList list(ApiRequests patient) {
        return patient.list(LeaseList.class, collection + "?labelSelector=" + LABEL.name() + "%3D" + key.name());
    }

    private @Nullable Lease holder(ApiRequests patient, LeaseList all) {
        return all.getItems().stream()
                .filter(lease -> lease.getMetadata().getName().equals(key.name()))
                .findFirst()
                .or(() -> patient.find(Lease.class, collection + "/" + key.name()))
                .orElse(null);
    }

    private static Optional<ShardMap> map(Lease lease) {
        Map<String, String> annotations = lease.getMetadata().getAnnotations();
        return Optional.ofNullable(annotations == null ? null : annotations.get(MAP.name()))
                .map(ShardMap::parse);
    }

    /** Whoever leads holds it alone, whatever it says of shards. */
    Seen look(Duration timeout) {
        ApiRequests patient = api.within(timeout);
        LeaseList all = list(patient);
        Lease map = holder(patient, all);
        Map<String, String> versions = new HashMap<>();
        all.getItems().stream()
                .filter(lease -> !lease.getMetadata().getName().equals(key.name()))
                .forEach(lease -> versions.put(
                        lease.getMetadata().getName(), lease.getMetadata().getResourceVersion()));
        stored = map;
        if (map == null) {
            return new Seen(null, null, "", Duration.ZERO, versions);
        }
        LeaseSpec spec = Objects.requireNonNullElseGet(map.getSpec(), LeaseSpec::new);
        String holder = Objects.requireNonNullElse(spec.getHolderIdentity(), "");
        boolean led = !holder.isEmpty() && !holder.equals(HOLDER);
        Duration patience = spec.getLeaseDurationSeconds() == null
                ? leaseDuration
                : Duration.ofSeconds(spec.getLeaseDurationSeconds());
        return new Seen(
                led ? null : map(map).orElse(null),
                map.getMetadata().getResourceVersion(),
                led ? holder : "",
                patience,
                versions);
    }

    /** Creates a member's Lease, or renews it. */
    void renew(String name, Duration timeout) {
        ApiRequests patient = api.within(timeout);
        Lease before = own;
        if (before == null) {
            before = patient.find(Lease.class, collection + "/" + name).orElse(null);
        }
        own = null; // what is stored is not known until there is an answer
        own = before == null
                ? patient.create(Lease.class, collection, renewed(new LeaseBuilder(), name, null))
                : patient.replace(
                        Lease.class,
                        collection + "/" + name,
                        renewed(new LeaseBuilder(before), name, before.getSpec()));
    }

    private Lease renewed(LeaseBuilder lease, String name, @Nullable LeaseSpec before) {
        ZonedDateTime now = now();
        if (before != null && now.equals(before.getRenewTime())) {
            now = now.plus(1, ChronoUnit.MICROS); // the clock stands still: the write is to change something
        }
        return lease.editOrNewMetadata()
                .withName(name)
                .withNamespace(key.namespace())
                .addToLabels(LABEL.name(), key.name())
                .endMetadata()
                .editOrNewSpec()
                .withHolderIdentity(name)
                .withLeaseDurationSeconds(
                        Math.toIntExact(leaseDuration.plusNanos(999_999_999).toSeconds()))
                .withAcquireTime(before == null ? now : before.getAcquireTime())
                .withRenewTime(now)
                .endSpec()
                .build();
    }

    /**
     * Writes the map, if it still is as it was read.
     *
     * @return its version
     */
    String write(ShardMap map, Duration timeout) {
        Lease before = stored;
        LeaseBuilder lease = before == null ? new LeaseBuilder() : new LeaseBuilder(before);
        boolean ends = map.members().isEmpty();
        Lease written = lease.editOrNewMetadata()
                .withName(key.name())
                .withNamespace(key.namespace())
                .addToLabels(LABEL.name(), key.name())
                .addToAnnotations(MAP.name(), map.text())
                .endMetadata()
                .editOrNewSpec()
                .withHolderIdentity(ends ? "" : HOLDER)
                .withLeaseDurationSeconds(ends ? 1 : FOR_GOOD_SECONDS)
                .withRenewTime(now())
                .endSpec()
                .build();
        ApiRequests patient = api.within(timeout);
        Lease answer = before == null
                ? patient.create(Lease.class, collection, written)
                : patient.replace(Lease.class, collection + "/" + key.name(), written);
        stored = answer;
        return answer.getMetadata().getResourceVersion();
    }

    /** Removes a member's Lease; one that is not there is no failure. */
    void remove(String name, Duration timeout) {
        try {
            api.within(timeout).delete(collection + "/" + name);
        } catch (KubernetesClientException failure) {
            if (failure.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw failure;
            }
        }
    }

    /** To the microsecond, as the API has times. */
    private ZonedDateTime now() {
        return clock.instant().atZone(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
    }
}

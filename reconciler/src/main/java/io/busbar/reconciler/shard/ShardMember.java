package io.busbar.reconciler.shard;

import io.busbar.reconciler.leader.Fence;
import io.busbar.reconciler.shard.ShardMap.Heir;
import io.busbar.reconciler.shard.ShardMap.Member;
import io.busbar.reconciler.shard.ShardMap.Told;
import io.busbar.reconciler.shard.ShardRequest.Look;
import io.busbar.reconciler.shard.ShardRequest.Renew;
import io.busbar.reconciler.shard.ShardRequest.Seen;
import io.busbar.reconciler.shard.ShardRequest.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One replica among those that share the work: decides what to ask the API server next, what is worked on, and when the
 * fence is open.
 *
 * <p>How a bucket comes from one member to another, both alive: its holder names the heir in the map, and goes on; the
 * heir has its watches keep what is in the bucket, and says in the map that they do; the holder lets no more work begin
 * and, once none is under way, gives the bucket away. An heir that does not get ready is waited for only so long, as
 * the bucket can be given to it all the same: then nobody works on it until its watches show what is in it.
 *
 * <p>The heir's watches have to show what the holder wrote since they began to look. The holder tells in the map up to
 * which versions that is, where it knows: where each of its writes was answered with one. Otherwise, and where a member
 * has died, the heir has to compare all there is.
 *
 * <p>What keeps two members from writing for one bucket:
 *
 * <ul>
 *   <li>Only who holds a bucket gives it away, once no work on it is under way, by a write that names the next holder.
 *       It works on it again only when it knows that this write was not carried out, nor will be: the map has another
 *       version than the one that the write is based on.
 *   <li>A member's fence falls some time after its last renewal was sent ({@code renewDeadline}), by its own clock. It
 *       is dead to another that looks and finds its Lease as it was when that one first saw it, longer ago than {@code
 *       leaseDuration}, by the clock of that one: at that look the fence has fallen.
 *   <li>A member whose fence has fallen, and who renews its Lease after all, opens the fence only once the map names it
 *       with an epoch that it has never written before. So what others have decided on a look before that fails, as the
 *       map has changed, and a look after that finds the Lease renewed.
 *   <li>Who finds that others have removed it from the map is removed for good: its process is to end.
 *   <li>What was under way when the fence fell has no leave to write ever after, also when the fence is open again.
 * </ul>
 *
 * The steps of a round are {@link #begin}, then one call for each request with what became of it, until there is none
 * more. One thread.
 */
final class ShardMember {

    private static final Logger log = LoggerFactory.getLogger(ShardMember.class);
    /** How long an heir may take to get ready: longer than a list of very many objects takes. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ShardOptions options;
    private final String name;
    private final Fence fence;
    private final ShardGate gate;
    private final LongSupplier nanos;

    private record Sign(String version, long at) {}

    /** Of each member, and of a leader, what was seen of its Lease last, and when that was new. */
    private final Map<String, Sign> signs = new HashMap<>();

    private @Nullable Seen seen;
    private boolean leaves;
    /** Until when heirs may take to get ready, once this member leaves. */
    private long leavesBy;

    private boolean hasLeft;
    private boolean named;
    private boolean removed;
    private @Nullable Long lookedAt;
    /** When the last renewal that succeeded was sent; of no meaning before there is one. */
    private long renewalBegun;

    private boolean renewed;
    private long requestBegun;
    private boolean renewing;
    /** Which the map has to say of this member before it works. */
    private long epoch = 1;

    private boolean confirmed;

    /** A write of which it is not known whether it was carried out, or will be. */
    private @Nullable Pending pending;

    private record Pending(@Nullable String base, Set<Integer> given) {}

    /**
     * @param generation of a map that this member wrote
     * @param unknown as {@link ShardGate#unknown} was before: where it still is, all is known that was written since
     */
    private record Known(long generation, int unknown) {}

    /** Of buckets that this member holds. */
    private final Map<Integer, Known> known = new HashMap<>();

    /** Of each bucket, when a map was sent to be written last. */
    private List<Integer> unknownAtWrite = List.of();

    /** Since when an heir is waited for. */
    private record Wait(String heir, long since) {}

    /** Of each bucket that is to be given away. */
    private final Map<Integer, Wait> waits = new HashMap<>();

    /**
     * Of those that this member is to get: of which its watches keep what is in them. By bucket, the generation of the
     * map that was seen before they began to look for it.
     */
    private final Map<Integer, Long> prepared = new HashMap<>();

    /**
     * @param name of its Lease; no other process may ever have it
     * @param nanos the clock of the fence
     */
    ShardMember(ShardOptions options, String name, Fence fence, ShardGate gate, LongSupplier nanos) {
        this.options = options;
        this.name = name;
        this.fence = fence;
        this.gate = gate;
        this.nanos = nanos;
    }

    /**
     * Begins a round, whatever became of the one before.
     *
     * @param renews whether the Lease is to be renewed in it
     */
    ShardRequest begin(boolean renews) {
        fallIfOver();
        return renews ? renew() : look();
    }

    private ShardRequest renew() {
        renewing = true;
        requestBegun = nanos.getAsLong();
        return new Renew(timeout());
    }

    private ShardRequest look() {
        renewing = false;
        requestBegun = nanos.getAsLong();
        return new Look(timeout());
    }

    /** The Lease is renewed. */
    ShardRequest renewed() {
        fallIfOver();
        if (nanos.getAsLong() - requestBegun < deadline()) {
            renewed = true;
            renewalBegun = requestBegun;
            openFence();
        }
        return look();
    }

    /** No answer, or a refusal; the request may have been carried out, or be so later. */
    @Nullable
    ShardRequest failed() {
        fallIfOver();
        return renewing ? look() : null;
    }

    /** What a look has shown. */
    @Nullable
    ShardRequest saw(Seen what) {
        fallIfOver();
        observe(what);
        seen = what;
        ShardMap map = what.map();
        Pending open = pending;
        if (open != null && !Objects.equals(open.base(), what.version())) {
            pending = null;
            if (confirmed && map != null) {
                open.given().stream().filter(bucket -> hasStayed(map, bucket)).forEach(gate::keep);
            }
        }
        follow(map);
        if (map != null && map.holders().size() != options.buckets()) {
            return null; // of an operator with another number of buckets
        }
        if (isLed(what) || !isFresh() || removed) {
            return null;
        }
        return decide(map == null ? ShardMap.empty(options.buckets()) : map, what.version());
    }

    /** Whether a bucket was not given away, though that was asked for: giving it takes its heir out of the map. */
    private boolean hasStayed(ShardMap map, int bucket) {
        return map.holders().size() == options.buckets()
                && map.holders().get(bucket).equals(name)
                && !map.heirs().get(bucket).name().isEmpty();
    }

    private boolean isLed(Seen what) {
        return !what.leader().isEmpty()
                && requestBegun - Objects.requireNonNull(signs.get("")).at()
                        < what.patience().toNanos();
    }

    /** The map is written. */
    @Nullable
    ShardRequest wrote(String version, ShardMap map) {
        fallIfOver();
        pending = null;
        learn(map);
        Seen before = Objects.requireNonNull(seen);
        seen = new Seen(map, version, "", Duration.ZERO, before.leases());
        follow(map);
        return null;
    }

    /** Who prepares for a bucket after this map was written sees all that was written before. */
    private void learn(ShardMap written) {
        for (int bucket = 0; bucket < written.holders().size(); bucket++) {
            if (toldSince(bucket).isEmpty() && unknownAtWrite.get(bucket) == gate.unknown(bucket)) {
                known.put(bucket, new Known(written.generation(), unknownAtWrite.get(bucket)));
            }
        }
    }

    /** The generation since which all is known that was written in a bucket, by this member. */
    private Optional<Long> toldSince(int bucket) {
        return Optional.ofNullable(known.get(bucket))
                .filter(one -> one.unknown() == gate.unknown(bucket))
                .map(Known::generation);
    }

    /** What is held is what the map says, with this epoch. */
    private void follow(@Nullable ShardMap map) {
        boolean there = map != null && map.member(name).isPresent();
        removed = removed || (named && !there && map != null && !leaves);
        named = named || there;
        boolean works = map != null
                && map.holders().size() == options.buckets()
                && map.member(name).filter(one -> one.epoch() == epoch).isPresent();
        if (map == null || !works || removed) {
            stop();
            hasLeft = leaves && (map == null || map.member(name).isEmpty());
            return;
        }
        confirmed = confirmed || isFresh();
        openFence();
        for (int bucket = 0; bucket < map.holders().size(); bucket++) {
            boolean given = pending != null && pending.given().contains(bucket);
            if (!map.holders().get(bucket).equals(name)) {
                gate.shut(bucket);
            } else if (confirmed && !given) {
                gate.own(bucket, isTold(map, bucket));
            }
        }
    }

    /** Whether a bucket is prepared for, and its holder before has told all that it wrote since. */
    private boolean isTold(ShardMap map, int bucket) {
        Long since = map.told().since().get(bucket);
        Long seenThen = prepared.get(bucket);
        return since != null && seenThen != null && seenThen >= since;
    }

    private @Nullable ShardRequest decide(ShardMap map, @Nullable String base) {
        if (leaves && map.member(name).isEmpty()) {
            return null;
        }
        Shares shares = new Shares(living(map), map);
        Set<Integer> ripe = Set.of();
        if (confirmed) {
            Set<Integer> leaving = leaving(map, shares.surplus(name));
            shares.promise(name, leaving);
            ripe = ripe(leaving, shares);
        }
        Set<Integer> idle = new TreeSet<>(gate.drain(withPending(ripe)));
        idle.retainAll(ripe);
        shares.give(name, idle, told(idle));
        shares.ready(name, prepared.keySet());
        ShardMap next = shares.map(map.generation() + 1);
        if (next.says(map)) {
            return null;
        }
        Set<Integer> given = new TreeSet<>(pending == null ? Set.of() : pending.given());
        idle.stream().filter(bucket -> !next.holders().get(bucket).equals(name)).forEach(given::add);
        pending = new Pending(base, given);
        given.forEach(gate::shut);
        unknownAtWrite =
                IntStream.range(0, options.buckets()).mapToObj(gate::unknown).toList();
        return new Write(next, base, timeout());
    }

    private Told told(Set<Integer> idle) {
        Map<Integer, Long> since = new HashMap<>();
        idle.forEach(bucket -> toldSince(bucket).ifPresent(generation -> since.put(bucket, generation)));
        return new Told(since, gate.written());
    }

    /** Those of which no more work is to begin: whose heir is ready, or was waited for long enough. */
    private Set<Integer> ripe(Set<Integer> leaving, Shares shares) {
        long now = nanos.getAsLong();
        boolean over = leaves && now - leavesBy >= 0;
        Set<Integer> ripe = new TreeSet<>();
        waits.keySet().retainAll(leaving);
        for (int bucket : leaving) {
            Heir heir = shares.heir(bucket);
            Wait wait = waits.get(bucket);
            if (wait == null || !wait.heir().equals(heir.name())) {
                wait = new Wait(heir.name(), now);
                waits.put(bucket, wait);
            }
            if (heir.name().isEmpty() || heir.ready() || over || now - wait.since() >= PATIENCE.toNanos()) {
                ripe.add(bucket);
            }
        }
        return ripe;
    }

    /** What may have been given away already stays shut. */
    private Set<Integer> withPending(Set<Integer> leaving) {
        Set<Integer> all = new TreeSet<>(leaving);
        if (pending != null) {
            all.addAll(pending.given());
        }
        return all;
    }

    private List<Member> living(ShardMap map) {
        List<Member> living = new ArrayList<>();
        boolean there = false;
        for (Member each : map.members()) {
            if (each.name().equals(name)) {
                living.add(new Member(name, options.template(), epoch, leaves));
                there = true;
            } else if (!isDead(each.name())) {
                living.add(each);
            }
        }
        if (!there) {
            living.add(new Member(name, options.template(), epoch, false));
        }
        return living;
    }

    /** Which to part with: those that are drained already, then those that have an heir, then the last. */
    private Set<Integer> leaving(ShardMap map, int surplus) {
        BitSet draining = gate.draining();
        Comparator<Integer> first = Comparator.comparing((Integer bucket) -> !draining.get(bucket))
                .thenComparing(bucket -> !map.heirs().get(bucket).ready())
                .thenComparing(bucket -> map.heirs().get(bucket).name().isEmpty())
                .thenComparing(Comparator.reverseOrder());
        return IntStream.range(0, map.holders().size())
                .filter(bucket -> map.holders().get(bucket).equals(name))
                .boxed()
                .sorted(first)
                .limit(surplus)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Takes note of what is new; a member that is only named counts from when it was first read of. */
    private void observe(Seen what) {
        long now = nanos.getAsLong();
        skipGap();
        lookedAt = now;
        what.leases().forEach((member, version) -> sign(member, version, now));
        if (what.map() != null) {
            what.map().members().forEach(member -> signs.putIfAbsent(member.name(), new Sign("", now)));
        }
        sign("", Objects.requireNonNullElse(what.version(), ""), now);
        Set<String> known = new TreeSet<>(what.leases().keySet());
        known.add("");
        if (what.map() != null) {
            what.map().members().forEach(member -> known.add(member.name()));
        }
        signs.keySet().retainAll(known);
    }

    /** Time in which this one could not look, or was frozen, proves nothing against others. */
    private void skipGap() {
        long gap = lookedAt == null ? 0 : requestBegun - lookedAt;
        if (gap > deadline() / 2) {
            signs.replaceAll((member, sign) -> new Sign(sign.version(), sign.at() + gap));
        }
    }

    private void sign(String member, String version, long now) {
        Sign before = signs.get(member);
        if (before == null || !before.version().equals(version)) {
            signs.put(member, new Sign(version, now));
        }
    }

    /** As of the last look: not of now, as what was seen then may have changed since. */
    private boolean isDead(String member) {
        Sign sign = signs.get(member);
        return sign != null
                && requestBegun - sign.at()
                        >= options.election().leaseDuration().toNanos();
    }

    /**
     * Until when a look shows whether one is dead of whom nothing new was seen; longer than any wait where there is
     * none.
     */
    Duration untilNextDeath() {
        long now = nanos.getAsLong();
        long lease = options.election().leaseDuration().toNanos();
        ShardMap map = seen == null ? null : seen.map();
        return Duration.ofNanos(signs.entrySet().stream()
                .filter(sign -> map != null
                        && !sign.getKey().equals(name)
                        && map.member(sign.getKey()).isPresent())
                .mapToLong(sign -> lease - (now - sign.getValue().at()))
                .filter(left -> left > 0)
                .min()
                .orElse(lease));
    }

    /** Leases that nobody renews nor will, of processes that are long gone. */
    List<String> abandoned() {
        Seen last = seen;
        if (last == null || last.map() == null) {
            return List.of();
        }
        ShardMap map = last.map();
        long longGone = options.election().leaseDuration().toNanos() * 4;
        return last.leases().keySet().stream()
                .filter(lease -> !lease.equals(name) && map.member(lease).isEmpty())
                .filter(lease -> signs.containsKey(lease)
                        && requestBegun
                                        - Objects.requireNonNull(signs.get(lease))
                                                .at()
                                >= longGone)
                .toList();
    }

    /**
     * Gives away all that is held, from the next round on.
     *
     * @param patience how long its heirs may take to get ready
     */
    void leave(Duration patience) {
        leaves = true;
        leavesBy = nanos.getAsLong() + patience.toNanos();
    }

    /** What this member is to get, as the map says, and is not {@linkplain #prepared} for. */
    Set<Integer> toPrepare() {
        Set<Integer> all = toCome();
        prepared.keySet().retainAll(all);
        all.removeAll(prepared.keySet());
        return all;
    }

    /** That of the map that was seen last; 0 before. */
    long generation() {
        return lastSeen().map(Seen::map).map(ShardMap::generation).orElse(0L);
    }

    /**
     * The watches of this member keep what is in these buckets: the next round says so in the map.
     *
     * @param generation that was seen before they began to look for it
     */
    void prepared(Set<Integer> buckets, long generation) {
        buckets.forEach(bucket -> prepared.put(bucket, generation));
        prepared.keySet().retainAll(toCome());
    }

    private Set<Integer> toCome() {
        Set<Integer> all = new TreeSet<>();
        ShardMap map = seen == null ? null : seen.map();
        if (map != null && map.holders().size() == options.buckets()) {
            IntStream.range(0, options.buckets())
                    .filter(bucket -> map.heirs().get(bucket).name().equals(name))
                    .forEach(all::add);
        }
        return all;
    }

    /** Whether all is given away, and the map names this member no more. */
    boolean hasLeft() {
        return hasLeft;
    }

    /**
     * Whether others have taken this member for dead, and what it held: it may have been worked on since, so that what
     * this process remembers of it is outdated. It takes no part any more.
     */
    boolean isRemoved() {
        return removed;
    }

    /** Whether the map names this member, so that it may write. */
    boolean isConfirmed() {
        return confirmed;
    }

    /** The map, and the other Leases, as they were last seen; empty before. */
    Optional<Seen> lastSeen() {
        return Optional.ofNullable(seen);
    }

    /**
     * The buckets that the map gives to this member now, or is to give it next, as it was last seen; empty where there
     * is no such map.
     */
    Optional<BitSet> kept() {
        ShardMap map = seen == null ? null : seen.map();
        if (map == null || map.holders().size() != options.buckets()) {
            return Optional.empty();
        }
        BitSet kept = new BitSet();
        IntStream.range(0, options.buckets())
                .filter(bucket -> map.holders().get(bucket).equals(name))
                .forEach(kept::set);
        toCome().forEach(kept::set);
        return Optional.of(kept);
    }

    /** How long ago a member gave its last sign, as of now. */
    Optional<Duration> age(String member) {
        return Optional.ofNullable(signs.get(member)).map(sign -> Duration.ofNanos(nanos.getAsLong() - sign.at()));
    }

    /** How many buckets no living member holds; all of them before anything was seen. */
    int unowned() {
        Seen last = seen;
        if (last == null || last.map() == null) {
            return options.buckets();
        }
        ShardMap map = last.map();
        return (int) map.holders().stream()
                .filter(holder -> map.member(holder).isEmpty() || (!holder.equals(name) && isDead(holder)))
                .count();
    }

    /**
     * Also where the map does not name this member yet: what it has asked for before is not asked for by a renewed
     * Lease.
     */
    private void fallIfOver() {
        if (!renewed || isFresh()) {
            return;
        }
        (confirmed ? log.atWarn() : log.atDebug())
                .addKeyValue("lease", name)
                .addKeyValue("seconds", options.election().renewDeadline().toSeconds())
                .log("the lease was not renewed in time: nothing is written until it is, and the map says what");
        renewed = false;
        epoch++;
        stop();
    }

    private void stop() {
        confirmed = false;
        fence.shut();
        gate.shutAll();
        prepared.clear();
    }

    private void openFence() {
        if (confirmed && isFresh()) {
            fence.openUntil(renewalBegun + deadline());
        }
    }

    private boolean isFresh() {
        return renewed && nanos.getAsLong() - renewalBegun < deadline();
    }

    private long deadline() {
        return options.election().renewDeadline().toNanos();
    }

    /** Leaves time for a second request. */
    private Duration timeout() {
        long half = deadline() / 2;
        long left = confirmed ? deadline() - (nanos.getAsLong() - renewalBegun) : half;
        return Duration.ofNanos(Math.max(1_000_000, Math.min(half, left)));
    }
}

package io.busbar.reconciler.shard;

import io.busbar.common.ObjectKey;
import io.busbar.reconciler.leader.Fence;
import io.busbar.reconciler.leader.LeaderElectionOptions;
import io.busbar.reconciler.shard.ShardGate.Pass;
import io.busbar.reconciler.shard.ShardRequest.Look;
import io.busbar.reconciler.shard.ShardRequest.Renew;
import io.busbar.reconciler.shard.ShardRequest.Seen;
import io.busbar.reconciler.shard.ShardRequest.Write;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Several members, each a real {@link ShardMember}, {@link ShardGate} and {@link Fence} with a clock of its own, and an
 * API server that keeps the map and the Leases, in simulated time. All that happens follows from a seed.
 *
 * <p>Clocks are off by up to 1 %. A request takes up to 5 s, and so does its answer; both get lost, one by one or while
 * a member is cut off. Writes whose answers are lost are carried out, also long after the member has given up.
 * Processes pause, between two steps or within one, are killed, join, and leave in order. Work on buckets begins all
 * the time, writes as it begins and as it ends, and some takes as long as a reconcile may; not each write is answered
 * with what it wrote, and whoever opens a bucket must see all of them. Heirs get ready at once, late, or too late. Hints that the map
 * has changed come late, or never.
 *
 * <p>Not imitated: edits by people; a request that has passed the fence and is still under way.
 */
final class ShardModel {

    static final int BUCKETS = 64;
    private static final long SECOND = 1_000_000_000L;
    private static final long LONGEST_WORK = 20 * SECOND;
    /** How long an heir takes at most to list what is in its buckets. */
    private static final long PREPARATION = 8 * SECOND;

    private static final int TOLD = 80;
    private static final String TYPE = "things";

    private final long seed;
    private final Random random;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Queue<Line> lines = new ArrayDeque<>();
    private final List<Replica> replicas = new ArrayList<>();
    private final Map<String, String> leases = new HashMap<>();
    private @Nullable ShardMap map;
    private long version;
    private long mapVersion;
    /** By bucket, the version of what was written in it last. */
    private final long[] written = new long[BUCKETS];

    private long now;
    private long order;
    private int made;
    private boolean calm;
    private String template = "t0";
    private long moved;
    /** Of ten. */
    private final int hintsLost;
    /** Of ten. */
    private final int slow;
    /** One of so many. */
    private final int lost;

    private final long opening;
    private final LeaderElectionOptions election;

    private record Event(long at, long order, Runnable happens) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    private record Line(long at, String who, String what, Object about) {
        @Override
        public String toString() {
            return "%.6f %s %s %s".formatted(at / 1e9, who, what, about);
        }
    }

    ShardModel(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
        this.hintsLost = List.of(1, 5, 10).get(random.nextInt(3));
        // The default ones, or the smallest margin that is allowed.
        long lease = random.nextBoolean() ? 15 : 11;
        this.election = new LeaderElectionOptions(
                ObjectKey.of("ns", "map"), Duration.ofSeconds(lease), Duration.ofSeconds(10), Duration.ofSeconds(2));
        this.slow = List.of(0, 2, 8).get(random.nextInt(3));
        this.lost = List.of(12, 500).get(random.nextInt(2));
        this.opening = List.of(SECOND / 50, 3 * SECOND).get(random.nextInt(2));
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            join();
        }
    }

    /** Lets so many things happen, with all that can go wrong. */
    void run(int steps) {
        calm = false;
        at(uniform(3 * SECOND), this::mischief);
        for (int i = 0; i < steps; i++) {
            step();
        }
    }

    private void step() {
        Event next = events.remove();
        now = next.at();
        next.happens().run();
    }

    private void runFor(long nanos) {
        long end = now + nanos;
        at(nanos, () -> {});
        while (now < end) {
            step();
        }
    }

    /** Nothing goes wrong any more: all comes to be held, evenly, by those that live, and stays so. */
    void calmDown() {
        calm = true;
        replicas.forEach(Replica::heal);
        for (Replica old : living()) {
            if (!old.template.equals(template)) {
                old.leave();
            }
        }
        while (living().size() < 2) {
            join();
        }
        runFor(90 * SECOND);
        requireSettled();
        long before = moved;
        runFor(30 * SECOND);
        requireSettled();
        if (moved != before) {
            throw failure("buckets moved though nothing happened");
        }
    }

    /**
     * One thing happens to those that have settled: nothing moves but what has to, nor is left alone longer than it
     * may.
     */
    void oneChange() {
        long before = moved;
        int members = living().size();
        int choice = random.nextInt(4);
        if (members > 4 || (choice == 0 && members > 1)) {
            Replica gone = any(living());
            int held = gone.held();
            gone.kill();
            requireOpenWithin(election.leaseDuration().toNanos() + PREPARATION + 3 * SECOND, "after a crash");
            requireMoved(before, held, held);
        } else if (choice == 1 && members > 1) {
            Replica gone = any(living());
            int held = gone.held();
            gone.leave();
            attend(PREPARATION + LONGEST_WORK + 2 * SECOND);
            if (!gone.gone) {
                throw failure("one has not left in time");
            }
            requireMoved(before, held, held);
        } else if (choice == 2) {
            Replica frozen = any(living());
            frozen.pause(uniform(election.leaseDuration().toNanos() - 4 * SECOND));
            requireOpenWithin(election.leaseDuration().toNanos() + 3 * SECOND, "after a pause");
            requireMoved(before, 0, 0);
        } else {
            join();
            attend(PREPARATION + LONGEST_WORK + 6 * SECOND);
            requireMoved(before, BUCKETS / (members + 1), BUCKETS / (members + 1));
        }
        runFor(LONGEST_WORK + 8 * SECOND);
        requireSettled();
    }

    private void requireMoved(long before, int least, int most) {
        if (moved - before < least || moved - before > most) {
            throw failure("moved " + (moved - before) + ", ideal: " + least);
        }
    }

    private void requireOpenWithin(long nanos, String when) {
        long end = now + nanos;
        runFor(1);
        while (now < end && !allOpen()) {
            step();
        }
        if (!allOpen()) {
            throw failure("a bucket is not open " + when);
        }
    }

    /** Nobody is missing: who gets a bucket is ready for it before its holder lets go. */
    private void attend(long nanos) {
        long end = now + nanos;
        long[] attended = new long[BUCKETS];
        Arrays.fill(attended, now);
        at(nanos, () -> {});
        while (now < end) {
            step();
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                int number = bucket;
                if (replicas.stream().anyMatch(one -> one.isOpen(number))) {
                    attended[bucket] = now;
                } else if (now - attended[bucket] > SECOND) {
                    throw failure("bucket " + bucket + " is left alone since " + attended[bucket] / 1e9);
                }
            }
        }
    }

    private boolean allOpen() {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            int number = bucket;
            if (living().stream().noneMatch(one -> one.isOpen(number))) {
                return false;
            }
        }
        return true;
    }

    private void requireSettled() {
        List<Replica> living = living();
        int least = living.stream().mapToInt(Replica::held).min().orElseThrow();
        int most = living.stream().mapToInt(Replica::held).max().orElseThrow();
        boolean even = most - least <= 1;
        if (!allOpen()) {
            throw failure("not all buckets are open");
        }
        if (!even) {
            throw failure("uneven: " + least + " to " + most);
        }
    }

    private List<Replica> living() {
        return replicas.stream().filter(one -> !one.gone && !one.leaves).toList();
    }

    private Replica any(List<Replica> some) {
        return some.get(random.nextInt(some.size()));
    }

    private void join() {
        Replica replica = new Replica("m" + made++, template);
        replicas.add(replica);
        say(replica.name, "joins", template);
        replica.start();
    }

    /** Every few seconds one thing goes wrong, or changes. */
    private void mischief() {
        if (calm) {
            return;
        }
        at(uniform(6 * SECOND), this::mischief);
        List<Replica> living = living();
        int what = random.nextInt(20);
        if (living.isEmpty() || (what < 3 && living.size() < 5)) {
            join();
        } else if (what < 5) {
            any(living).kill();
        } else if (what < 8) {
            any(living).leave();
        } else if (what < 12) {
            any(living).pause(uniform(40 * SECOND));
        } else if (what < 16) {
            any(living).cutOff(uniform(40 * SECOND));
        } else if (what == 16) {
            long until = now + uniform(25 * SECOND);
            say("server", "is away until", until / 1e9);
            living.forEach(one -> one.cutOff(until - now));
        } else if (what == 17) {
            template = "t" + made;
        }
        replicas.removeIf(one -> one.gone && one.forgotten);
    }

    private void at(long delay, Runnable happens) {
        events.add(new Event(now + Math.max(0, delay), order++, happens));
    }

    private long uniform(long most) {
        return (long) (random.nextDouble() * most);
    }

    private void say(String who, String what, Object about) {
        lines.add(new Line(now, who, what, about));
        if (lines.size() > TOLD) {
            lines.remove();
        }
    }

    private AssertionError failure(String what) {
        StringBuilder told = new StringBuilder(what + "; seed " + seed + " at " + now / 1e9 + " s");
        lines.forEach(line -> told.append('\n').append(line));
        replicas.forEach(one -> told.append('\n').append(one));
        return new AssertionError(told.append('\n').append(map == null ? "" : map.text()));
    }

    /** What the server does with a request; empty when it refuses. */
    private Optional<Object> carryOut(Replica who, ShardRequest request) {
        if (request instanceof Renew) {
            leases.put(who.name, "" + ++version);
            return Optional.of("");
        }
        if (request instanceof Look) {
            return Optional.of(
                    new Seen(map, map == null ? null : "" + mapVersion, "", Duration.ZERO, Map.copyOf(leases)));
        }
        Write write = (Write) request;
        if (!Objects.equals(write.base(), map == null ? null : "" + mapVersion)) {
            return Optional.empty();
        }
        ShardMap before = map == null ? ShardMap.empty(BUCKETS) : map;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            String holder = before.holders().get(bucket);
            if (!holder.isEmpty() && !holder.equals(write.map().holders().get(bucket))) {
                moved++;
            }
        }
        map = write.map();
        mapVersion = ++version;
        say(who.name, "writes", map.text());
        replicas.forEach(Replica::hint);
        return Optional.of("" + mapVersion);
    }

    private final class Replica {

        private final String name;
        private final String template;
        private final double rate = 0.99 + random.nextDouble() * 0.02;
        private final long offset = random.nextLong() >> 8;
        private final Fence fence = new Fence(this::clock);
        private final ShardGate gate = new ShardGate(BUCKETS, fence, this::hint);
        private final ShardMember member;
        private final Set<Integer> preparing = new HashSet<>();
        /** Of what it keeps, that which lists have shown. */
        private final Set<Integer> shown = new HashSet<>();
        /** By bucket, the version up to which its watches surely show it. */
        private final long[] sees = new long[BUCKETS];

        private BitSet openBefore = new BitSet();
        private int falls;
        private boolean wasOpen;
        private boolean gone;
        private boolean forgotten;
        private boolean leaves;
        private long pausedUntil;
        private long cutOffUntil;
        private boolean inRound;
        private int rounds;
        private boolean hinted;
        private long lastRenewal;
        private int request;

        Replica(String name, String template) {
            this.name = name;
            this.template = template;
            this.member =
                    new ShardMember(new ShardOptions(election, BUCKETS, template), name, fence, gate, this::clock);
        }

        long clock() {
            return offset + (long) (now * rate);
        }

        boolean isOpen(int bucket) {
            return !gone && fence.isOpen() && gate.mayWrite(bucket);
        }

        int held() {
            return map == null ? 0 : map.counts().getOrDefault(name, 0);
        }

        void start() {
            lastRenewal = now - 10 * SECOND;
            round();
            beat();
            work();
        }

        /** Runs once it is not paused any more; never when it is gone. */
        private void then(long delay, Runnable step) {
            at(delay, () -> {
                if (gone) {
                    return;
                }
                if (now < pausedUntil) {
                    then(pausedUntil - now, step);
                    return;
                }
                noteFall();
                step.run();
                check();
            });
        }

        private void beat() {
            then(2 * SECOND, () -> {
                beat();
                round();
            });
        }

        void hint() {
            if (gone || (!calm && random.nextInt(10) < hintsLost)) {
                return;
            }
            then(uniform(SECOND / 20), this::round);
        }

        private void round() {
            if (inRound) {
                hinted = true;
                return;
            }
            inRound = true;
            boolean renews = now - lastRenewal >= 3 * SECOND / 2;
            if (renews) {
                lastRenewal = now;
            }
            send(member.begin(renews));
        }

        private void send(@Nullable ShardRequest next) {
            if (next == null) {
                endRound();
                return;
            }
            int number = ++request;
            long there = latency();
            boolean lost = isLost();
            then((long) (next.timeout().toNanos() / rate), () -> ended(number, () -> send(member.failed())));
            if (random.nextInt(60) == 0 && !calm) {
                pause(uniform(25 * SECOND)); // between the last check and the network
            }
            if (lost && random.nextBoolean()) {
                return;
            }
            at(lost ? there + uniform(60 * SECOND) : there, () -> {
                Optional<Object> answer = carryOut(this, next);
                if (!lost && !isLost()) {
                    then(latency(), () -> ended(number, () -> answered(next, answer)));
                }
            });
        }

        private void ended(int number, Runnable how) {
            if (number == request) {
                request++;
                how.run();
            }
        }

        private void answered(ShardRequest to, Optional<Object> answer) {
            if (answer.isEmpty()) {
                send(member.failed());
            } else if (to instanceof Renew) {
                send(member.renewed());
            } else if (to instanceof Look) {
                send(member.saw((Seen) answer.get()));
            } else {
                send(member.wrote((String) answer.get(), ((Write) to).map()));
            }
        }

        private void endRound() {
            inRound = false;
            ShardGate.Gained gained = gate.takeGained();
            long told = member.lastSeen()
                    .map(Seen::map)
                    .map(map -> Long.parseLong(map.told().versions().getOrDefault(TYPE, "0")))
                    .orElse(0L);
            open(gate.told(gained), told);
            open(gate.untold(gained), version);
            shown.removeIf(bucket -> !member.kept().orElseGet(BitSet::new).get(bucket));
            prepare();
            if (leaves && member.hasLeft()) {
                gone = true;
                say(name, "has left", "");
                return;
            }
            if (member.isRemoved()) {
                gone = true;
                say(name, "ends, since others have taken over", "");
                if (!leaves) {
                    join();
                }
                return;
            }
            int round = ++rounds;
            then((long) (member.untilNextDeath().toNanos() / rate) + 1, () -> {
                if (round == rounds) {
                    round();
                }
            });
            if (hinted) {
                hinted = false;
                then(0, this::round);
            }
        }

        /** @param until up to which version the watches show all, beside what was prepared */
        private void open(ShardGate.Gained gained, long until) {
            if (gained.buckets().isEmpty()) {
                return;
            }
            long takes = shown.containsAll(gained.buckets()) ? SECOND / 10 : PREPARATION;
            then(uniform(calm ? takes : opening), () -> {
                shown.addAll(gained.buckets());
                for (int bucket : gate.open(gained)) {
                    sees[bucket] = Math.max(sees[bucket], until);
                    if (fence.isOpen() && written[bucket] > sees[bucket]) {
                        throw failure("bucket " + bucket + " is opened at " + name + " which sees " + sees[bucket]
                                + ", though " + written[bucket] + " was written");
                    }
                }
            });
        }

        private void prepare() {
            Set<Integer> toCome = member.toPrepare();
            toCome.removeAll(preparing);
            if (toCome.isEmpty()) {
                return;
            }
            preparing.addAll(toCome);
            long generation = member.generation();
            long until = version;
            long takes = calm ? PREPARATION : random.nextInt(8) == 0 ? 5 * PREPARATION : opening;
            then(uniform(takes), () -> {
                preparing.removeAll(toCome);
                shown.addAll(toCome);
                toCome.forEach(bucket -> sees[bucket] = until);
                member.prepared(toCome, generation);
                round();
            });
        }

        /** Begins to work on some bucket, again and again. */
        private void work() {
            then(uniform(SECOND), () -> {
                work();
                int bucket = random.nextInt(BUCKETS);
                Optional<Pass> pass = gate.enter(bucket);
                pass.ifPresent(entered -> write(entered, bucket));
                long longest = random.nextInt(8) == 0 ? LONGEST_WORK : SECOND / 2;
                int before = fence.isOpen() ? falls : -1;
                pass.ifPresent(entered -> then(uniform(longest), () -> {
                    if (!entered.isValid() && falls == before) {
                        throw failure("work at " + name + " was cut off though its fence has not fallen");
                    }
                    write(entered, bucket);
                    entered.close();
                }));
            });
        }

        private void write(Pass pass, int bucket) {
            if (fence.isOpen() && pass.isValid()) {
                pass.writes();
                written[bucket] = ++version;
                if (random.nextInt(4) > 0) {
                    pass.wrote(TYPE, "" + version);
                }
            }
        }

        private long latency() {
            return calm || random.nextInt(10) >= slow ? uniform(SECOND / 20) : uniform(5 * SECOND);
        }

        private boolean isLost() {
            return now < cutOffUntil || (!calm && random.nextInt(lost) == 0);
        }

        void kill() {
            say(name, "is killed, holds", held());
            gone = true;
        }

        void leave() {
            say(name, "is told to leave, holds", held());
            leaves = true;
            member.leave(Duration.ofNanos(PREPARATION + SECOND));
            hint();
        }

        void pause(long nanos) {
            say(name, "pauses for", nanos / 1e9);
            pausedUntil = Math.max(pausedUntil, now + nanos);
        }

        void cutOff(long nanos) {
            say(name, "is cut off for", nanos / 1e9);
            cutOffUntil = Math.max(cutOffUntil, now + nanos);
        }

        void heal() {
            forgotten = true;
            cutOffUntil = 0;
            pausedUntil = 0;
        }

        /** What has just opened here must be open nowhere else. */
        private void check() {
            noteFall();
            BitSet open = wasOpen ? gate.writable() : new BitSet();
            BitSet opened = (BitSet) open.clone();
            opened.andNot(openBefore);
            openBefore = open;
            opened.stream().forEach(this::requireAlone);
        }

        private void requireAlone(int bucket) {
            for (Replica other : replicas) {
                if (other != this && other.isOpen(bucket)) {
                    throw failure("bucket " + bucket + " is open at " + name + " and " + other.name);
                }
            }
        }

        private void noteFall() {
            boolean open = !gone && fence.isOpen();
            falls += wasOpen && !open ? 1 : 0;
            wasOpen = open;
        }

        @Override
        public String toString() {
            return name + (gone ? " gone" : "") + (leaves ? " leaves" : "") + " fence " + fence.isOpen() + " open "
                    + gate.open() + " holds " + held();
        }
    }

    /** Runs a model, from the start to calm and to some changes after it. */
    static void play(long seed, int steps, Consumer<ShardModel> also) {
        ShardModel model = new ShardModel(seed);
        model.run(steps);
        model.calmDown();
        also.accept(model);
    }

    static List<Long> seeds(long first, int count) {
        List<Long> seeds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            seeds.add(first + i);
        }
        return seeds;
    }
}

package io.busbar.reconciler.leader;

import io.busbar.common.ObjectKey;
import io.busbar.reconciler.leader.LeaderElectionOptions.Candidacy;
import io.busbar.reconciler.leader.LeaseRequest.Kind;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Several replicas, each a real {@link Elector} and {@link Fence} with a clock of its own, and an API server that keeps
 * one lease, in simulated time. All that happens follows from a seed.
 *
 * <p>Clocks are off by up to 1 %, times of day may stand still or jump. A request takes up to 5 s, and so does its
 * answer; both get lost, one by one or while a replica is cut off. Writes whose answers are lost are carried out, also
 * long after the client has given up. Some replicas take over from a leader that is well, some are meant to be alone.
 * Processes pause, between two steps or within one, and are killed, or stopped so that they release the lease. Replicas
 * differ in their durations, as during a change of flags; each leaves the smallest margin that is allowed, or the
 * default one.
 *
 * <p>Not imitated: edits of the lease by people; a request of a controller that passed the fence and is still under
 * way.
 */
final class ElectionModel {

    private static final ObjectKey LEASE = ObjectKey.of("ns", "lease");
    private static final long SECOND = 1_000_000_000L;
    private static final int TOLD = 60;

    private final long seed;
    private final Random random;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Queue<Line> lines = new ArrayDeque<>();
    private final List<Replica> replicas = new ArrayList<>();
    private final ModelLease lease = new ModelLease();
    private long now;
    private long order;
    private boolean calm;
    private int leaderships;
    private int lostAnswersToWrites;
    private int takeovers;

    private record Event(long at, long order, Runnable happens) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    private record Line(
            long at, String who, String what, @Nullable Object about) {
        @Override
        public String toString() {
            return "%.6f %s %s %s".formatted(at / 1e9, who, what, Objects.requireNonNullElse(about, ""));
        }
    }

    ElectionModel(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
        int count = 2 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            replicas.add(new Replica("r" + i));
        }
        replicas.forEach(Replica::start);
    }

    int leaderships() {
        return leaderships;
    }

    int lossesOfAnswersToWrites() {
        return lostAnswersToWrites;
    }

    /** Leaderships that began with a lease which was another's. */
    int takeovers() {
        return takeovers;
    }

    /** Lets so many things happen. */
    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
        }
    }

    /** Nothing goes wrong any more: the fence of one replica must open, and stay so. */
    void calmDown() {
        calm = true;
        long settled = now + 120 * SECOND;
        while (events.element().at() < settled) {
            step();
        }
        String leader = onlyLeader();
        while (events.element().at() < settled + 120 * SECOND) {
            step();
            if (!onlyLeader().equals(leader)) {
                throw failure("another leader though nothing went wrong");
            }
        }
    }

    private String onlyLeader() {
        return replicas.stream()
                .filter(Replica::isOpen)
                .findFirst()
                .orElseThrow(() -> failure("nobody leads"))
                .identity;
    }

    private void step() {
        Event next = events.remove();
        now = Math.max(now, next.at());
        next.happens().run();
        if (replicas.stream().filter(Replica::isOpen).count() > 1) {
            throw failure("two fences are open");
        }
    }

    private AssertionError failure(String what) {
        StringBuilder text = new StringBuilder(what + "; seed " + seed + ":");
        lines.forEach(line -> text.append("\n").append(line));
        replicas.forEach(replica -> text.append("\n").append(replica));
        return new AssertionError(text.toString());
    }

    private void tell(String who, String what, @Nullable Object about) {
        if (lines.size() == TOLD) {
            lines.remove();
        }
        lines.add(new Line(now, who, what, about));
    }

    private void in(long wait, Runnable happens) {
        events.add(new Event(now + Math.max(0, wait), order++, happens));
    }

    private boolean one(int in) {
        return !calm && random.nextInt(in) == 0;
    }

    private long upTo(double seconds) {
        return (long) (random.nextDouble() * seconds * SECOND);
    }

    /** One way between a replica and the API server. */
    private long latency() {
        return switch (calm ? 0 : random.nextInt(6)) {
            case 0, 1, 2 -> upTo(0.002);
            case 3 -> upTo(0.1);
            default -> upTo(5);
        };
    }

    private LeaderElectionOptions options() {
        Duration lease = Duration.ofSeconds(3 + random.nextInt(10));
        // Whole seconds of a lease, as those are not rounded up in favour of the leader.
        Duration renew = random.nextBoolean()
                ? lease.multipliedBy(10).dividedBy(11)
                : lease.multipliedBy(2).dividedBy(3);
        // Who asks often sees a renewal soon, and is the first to take over.
        long retry = random.nextInt(3) == 0 ? 100 : 200 + random.nextInt((int) (renew.toMillis() * 0.6));
        LeaderElectionOptions options = new LeaderElectionOptions(LEASE, lease, renew, Duration.ofMillis(retry));
        return one(6) ? options.as(Candidacy.TAKES_OVER) : one(4) ? options.as(Candidacy.ALONE) : options;
    }

    /**
     * The lease of the API server: of writes that are based on one version the first succeeds, and one that changes
     * nothing is none.
     */
    private static final class ModelLease {

        private @Nullable Lease stored;
        private long version;

        @Nullable
        Lease carryOut(LeaseRequest request) {
            if (request.kind() == Kind.READ) {
                return stored;
            }
            Lease written = Objects.requireNonNull(request.lease());
            Lease before = stored;
            if (request.kind() == Kind.CREATE ? before != null : before == null || !sameVersion(before, written)) {
                throw new KubernetesClientException("outrun", 409, null);
            }
            if (before != null && before.getSpec().equals(written.getSpec())) {
                return before;
            }
            version++;
            stored = new LeaseBuilder(written)
                    .editMetadata()
                    .withResourceVersion("" + version)
                    .endMetadata()
                    .build();
            return stored;
        }

        private static boolean sameVersion(Lease before, Lease written) {
            return before.getMetadata()
                    .getResourceVersion()
                    .equals(written.getMetadata().getResourceVersion());
        }
    }

    /** One place for a process, and the process that is in it now. */
    private final class Replica {

        private final String name;
        /** Each process is on another machine. */
        private double rate;

        private long offset;
        private boolean dayStandsStill;
        private LeaderElectionOptions options = LeaderElectionOptions.of(LEASE);
        private int process;
        private String identity = "";
        private @Nullable Fence fence;
        private @Nullable Elector elector;
        private long pausedUntil;
        private long cutUntil;
        private boolean led;

        Replica(String name) {
            this.name = name;
        }

        boolean isOpen() {
            Fence mine = fence;
            return mine != null && mine.isOpen();
        }

        void start() {
            process++;
            identity = name + "-" + process;
            options = options();
            // The worst are tried most: nearly all failures need a slow leader and a quick follower.
            rate = random.nextBoolean() ? 0.99 + 0.02 * random.nextDouble() : random.nextBoolean() ? 0.99 : 1.01;
            offset = random.nextLong();
            dayStandsStill = random.nextInt(3) == 0;
            pausedUntil = 0;
            led = false;
            Fence made = new Fence(this::readClock);
            fence = made;
            elector = new Elector(options, identity, made, this::pauseAndReadClock, dayClock(), () -> {});
            tell(name, "starts", options);
            later(upTo(2), this::attempt);
            int started = process;
            in(upTo(100), () -> mischief(started));
        }

        private long readClock() {
            return offset + (long) (now * rate);
        }

        /** A process may be paused just when it has read its clock; its fence falls all the same. */
        private long pauseAndReadClock() {
            long read = readClock();
            if (one(200)) {
                now += upTo(15);
            }
            return read;
        }

        private Clock dayClock() {
            return clock(() -> dayStandsStill || one(20) ? Instant.EPOCH : Instant.ofEpochSecond(0, now));
        }

        private Clock clock(InstantSource source) {
            return new Clock() {
                @Override
                public ZoneId getZone() {
                    return ZoneOffset.UTC;
                }

                @Override
                public Clock withZone(ZoneId zone) {
                    return this;
                }

                @Override
                public Instant instant() {
                    return source.instant();
                }
            };
        }

        /** Now and then something happens to the process, or to its network. */
        private void mischief(int of) {
            if (of != process) {
                return;
            }
            if (!calm) {
                switch (random.nextInt(5)) {
                    case 0 -> pausedUntil = now + upTo(40);
                    case 1, 2 -> cutUntil = now + upTo(40);
                    case 3 -> end("killed");
                    default -> release();
                }
            }
            if (of == process) {
                in(upTo(100), () -> mischief(of));
            }
        }

        private void end(String how) {
            tell(name, how, null);
            process++;
            fence = null;
            elector = null;
            in(upTo(20), this::start);
        }

        private void release() {
            LeaseRequest request = Objects.requireNonNull(elector).release();
            if (request != null) {
                send(request, answer -> {}, failure -> {});
            }
            end("released");
        }

        /**
         * When the process is not paused, if it is still there. Time is the replica's own, as its timers go by its
         * clock.
         */
        private void later(long wait, Runnable happens) {
            int of = process;
            in((long) (wait / rate), () -> whenAwake(of, happens));
        }

        private void whenAwake(int of, Runnable happens) {
            if (of != process) {
                return;
            }
            if (now < pausedUntil) {
                in(pausedUntil - now, () -> whenAwake(of, happens));
            } else {
                happens.run();
            }
        }

        private void attempt() {
            follow(Objects.requireNonNull(elector).begin());
        }

        private void follow(Step step) {
            if (step instanceof LeaseRequest request) {
                Elector asking = Objects.requireNonNull(elector);
                send(request, answer -> follow(asking.answered(answer)), failure -> follow(asking.failed(failure)));
            } else if (step instanceof Standing.Leads) {
                if (one(40)) {
                    cutUntil = now + upTo(40); // the worst moment: its time has just begun anew
                }
                if (!led) {
                    led = true;
                    leaderships++;
                    takeovers += options.takesOver() ? 1 : 0;
                    tell(name, "leads", null);
                }
                later(options.retryPeriod().toNanos(), this::attempt);
            } else if (step instanceof Standing.Follows follows) {
                long retry = (long) (options.retryPeriod().toNanos() * (1 + 0.2 * random.nextDouble()));
                later(Math.min(retry, follows.patience().toNanos() + 1_000_000), this::attempt);
            } else if (step instanceof Standing.Lost lost) {
                end(lost.reason());
            }
        }

        /** One of them is called, once; the request may be carried out either way, and whenever it arrives. */
        private void send(LeaseRequest request, Consumer<Lease> answered, Consumer<KubernetesClientException> failed) {
            int of = process;
            boolean[] over = {false};
            tell(name, "asks", request.kind());
            Consumer<Runnable> ending = end -> whenAwake(of, () -> {
                if (!over[0]) {
                    over[0] = true;
                    end.run();
                }
            });
            later(
                    request.timeout().toNanos(),
                    () -> ending.accept(() -> {
                        tell(name, "has no answer to", request.kind());
                        failed.accept(new KubernetesClientException("no answer"));
                    }));
            if (isLost()) {
                return;
            }
            in(latency(), () -> {
                Lease stored;
                try {
                    stored = lease.carryOut(request);
                    tell(name, "was served:", request.kind());
                } catch (KubernetesClientException failure) {
                    arrive(() -> ending.accept(() -> failed.accept(failure)), request);
                    return;
                }
                arrive(() -> ending.accept(() -> answered.accept(stored)), request);
            });
        }

        private void arrive(Runnable answer, LeaseRequest request) {
            if (!isLost()) {
                in(latency(), answer);
            } else if (request.kind() != Kind.READ) {
                lostAnswersToWrites++;
            }
        }

        private boolean isLost() {
            return (!calm && now < cutUntil) || one(30);
        }

        @Override
        public String toString() {
            return "%s: rate %.4f, %s, open %s".formatted(identity, rate, options, isOpen());
        }
    }
}

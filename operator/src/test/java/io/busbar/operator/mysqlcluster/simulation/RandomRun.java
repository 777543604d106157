package io.busbar.operator.mysqlcluster.simulation;

import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Steps drawn from a seed: of clients, of two operators, of time, and of whatever goes wrong. The same seed gives the
 * same run. At the end all that is wrong is mended, and the cluster must come to itself, or say what it waits for.
 *
 * <p>For one thread.
 */
final class RandomRun implements AutoCloseable {

    private static final int TRACED = 40;

    /** Once all is mended. */
    private static final int MOST_TURNS = 150;

    private final long seed;
    private final Random random;
    private final SimulatedCluster world;
    private final Promises promises;
    private final List<SimulatedOperator> operators;
    private final Deque<String> trace = new ArrayDeque<>();
    private final Map<String, Integer> drawn;

    /** What ends, and when, in seconds of the run. */
    private final TreeMap<Integer, List<Runnable>> endings = new TreeMap<>();

    private final Spec spec;
    private final int percentOfFaults;
    private final int mostAtOnce;
    private final boolean careful;
    private int second;
    private int underWay;
    private int lostVolumes;
    private boolean statusLost;
    private int steps;

    /** After how many steps passwords are changed again; 0 for never. */
    private int changePasswordsAfter;

    /** Draws when programs use up all connections of a server; null for never. */
    private @Nullable Random crowds;

    /** What a run asks of its cluster; goes back and forth. For one thread. */
    private static final class Spec {

        final boolean semiSync;
        final boolean reclone;
        final boolean dumps;
        final int delay;
        int size;
        int wantedPrimary = -1;
        int image = 1;
        String auth = "";

        Spec(Random random) {
            semiSync = random.nextInt(5) > 0;
            reclone = random.nextInt(4) > 0;
            delay = 2 + random.nextInt(4);
            size = random.nextInt(4) == 0 ? 2 : 3;
            dumps = random.nextInt(3) == 0;
        }

        String yaml() {
            return yaml(delay);
        }

        /** Clusters that begin alike are the same but for what is changed then. */
        String first() {
            return yaml(2);
        }

        private String yaml(int seconds) {
            return "size: " + size + "\nfailover: {delaySeconds: " + seconds + "}\nimage: mariadb:11." + image
                    + "\ndivergedMembers: " + (reclone ? "Reclone" : "Keep") + "\nreplication: {semiSync: " + semiSync
                    + (dumps ? ", copyMethod: Dump" : "")
                    + (wantedPrimary < 0 ? "" : ", primaryOrdinal: " + wantedPrimary) + "}\n" + auth;
        }
    }

    /** Something that can be drawn. */
    private enum Fault {
        SERVER_CRASHES,
        SERVER_HANGS,
        VOLUME_IS_LOST,
        NODE_IS_LOST,
        NODE_IS_ISOLATED,
        POD_IS_DELETED,
        OPERATOR_LOSES_MEMBER,
        OPERATOR_IS_NOT_ANSWERED,
        SERVERS_LOSE_ONE_ANOTHER,
        SERVERS_LOSE_ONE_DIRECTION,
        PRIMARY_LOSES_ALL_REPLICAS,
        REPLICA_APPLIES_NOTHING,
        COPIES_BREAK_OFF,
        COPIES_FAIL,
        COPIES_TAKE_TIME,
        OPERATOR_CRASHES,
        ANSWER_IS_LOST,
        CALL_IS_NOT_DONE,
        OPERATOR_PAUSES,
        LEADER_CHANGES,
        CLOCK_JUMPS,
        WATCH_LAGS,
        STATUS_IS_LOST,
        SWITCHOVER_IS_ASKED,
        SIZE_CHANGES,
        TEMPLATE_CHANGES
    }

    private static final Fault[] FAULTS = Fault.values();

    /**
     * @param settled clusters to begin with, by what is asked of them; filled here
     * @param drawn counts what was drawn
     */
    RandomRun(long seed, Map<String, SimulatedCluster> settled, Map<String, Integer> drawn) {
        this.seed = seed;
        this.random = new Random(seed);
        this.drawn = drawn;
        this.spec = new Spec(random);
        this.world =
                settled.computeIfAbsent(spec.first(), SimulatedCluster::running).again();
        this.world.spec(spec.yaml());
        if (random.nextBoolean()) {
            world.servers.copyPhysically();
        }
        this.promises = new Promises(world);
        this.operators = List.of(
                new SimulatedOperator("A", world, this::meanwhile), new SimulatedOperator("B", world, this::meanwhile));
        this.percentOfFaults = 3 + random.nextInt(25);
        this.mostAtOnce = 1 + random.nextInt(3);
        this.careful = random.nextInt(5) > 0;
        operators.get(0).leads = true;
        promises.destroyed();
    }

    /** From now on; drawn as before. */
    RandomRun changingPasswords() {
        changePasswordsAfter = 20;
        spec.auth = "auth: {rotation: {application: true, passwordRetentionSeconds: 3}}\n";
        world.spec(spec.yaml());
        return this;
    }

    /** From now on: the cluster has to come to itself all the same. */
    RandomRun usingUpConnections() {
        crowds = new Random(~seed);
        return this;
    }

    /** @return how many steps were taken */
    int go(int most) {
        while (steps < most) {
            step();
        }
        calm();
        return steps;
    }

    private SimulatedOperator leader() {
        return operators.get(0).leads ? operators.get(0) : operators.get(1);
    }

    private SimulatedOperator other() {
        return operators.get(0).leads ? operators.get(1) : operators.get(0);
    }

    private void step() {
        steps++;
        if (changePasswordsAfter > 0 && steps % changePasswordsAfter == 0) {
            world.annotate("database.example.com/rotate-passwords", "at step " + steps);
            tell("passwords are to be changed");
        }
        if (crowds != null && crowds.nextInt(50) == 0) {
            crowd(crowds);
        }
        int draw = random.nextInt(100);
        if (draw < percentOfFaults) {
            fault(FAULTS[random.nextInt(FAULTS.length)]);
        } else if (draw < percentOfFaults + (100 - percentOfFaults) * 4 / 10) {
            turn(leader());
        } else if (random.nextInt(3) == 0) {
            world.write();
            tell("clients write");
        } else {
            passSecond();
        }
        check();
    }

    private void check() {
        String broken = promises.broken();
        if (broken != null) {
            throw failure(broken);
        }
    }

    private AssertionError failure(String what) {
        return new AssertionError(what + "\nseed " + seed + ", step " + steps + ", second " + second + "\n"
                + spec.yaml() + String.join("\n", trace) + "\n" + told());
    }

    private String told() {
        StringBuilder text = new StringBuilder("status: " + world.status().currentPrimary() + " "
                + world.status().failover() + "\n" + world.status().members() + "\n");
        for (SimulatedServer server : world.servers.all()) {
            text.append(text(server)).append('\n');
        }
        world.status()
                .conditions()
                .forEach(one -> text.append(one.getType() + "=" + one.getStatus() + " " + one.getReason() + ": "
                        + one.getMessage() + "\n"));
        return text.toString();
    }

    private String text(SimulatedServer server) {
        Link link = server.link;
        String role = world.context
                .get(Pod.class, server.pod)
                .map(pod -> ClusterNames.label(pod, ClusterNames.ROLE))
                .orElse("no Pod");
        return server.pod + " [" + role + "]" + (server.up ? "" : " DOWN") + (server.silent ? " SILENT" : "")
                + (server.readOnly ? "" : " WRITABLE") + " waits for " + server.waitsFor
                + (server.incomplete ? " INCOMPLETE" : "")
                + (server.physical == null ? "" : " " + server.physical.stage()) + " at "
                + server.history().text() + ", "
                + server.rows.size() + " rows"
                + (link == null
                        ? ""
                        : ", follows " + link.source.host() + " " + link.io + " " + link.sqlRunning + " " + link.ioErrno
                                + "/" + link.sqlErrno + " relayed " + link.relayed);
    }

    private void tell(String what) {
        if (what.isEmpty()) {
            return;
        }
        trace.add(second + "s: " + what);
        if (trace.size() > TRACED) {
            trace.remove();
        }
    }

    /** What clients do before each change of an operator. */
    private void meanwhile() {
        if (random.nextInt(4) == 0) {
            world.write();
        }
        String broken = promises.ends();
        if (broken != null) {
            throw failure(broken + ", after " + leader().calls.made());
        }
    }

    private void turn(SimulatedOperator operator) {
        if (operator.isPaused()) {
            return;
        }
        goOn(operator);
    }

    private void goOn(SimulatedOperator operator) {
        String outcome = operator.turn();
        if (!operator.calls.made().isEmpty() || !outcome.isEmpty()) {
            tell("turn of " + operator.name + ": " + operator.calls.made() + outcome);
        }
        if (operator.isPaused()) {
            later(seconds(), operator.name + " went on", () -> goOn(operator));
        }
    }

    private void passSecond() {
        second++;
        world.context.advance(Duration.ofSeconds(1));
        world.servers.roads.pass();
        world.node.work();
        while (!endings.isEmpty() && endings.firstKey() <= second) {
            endings.pollFirstEntry().getValue().forEach(Runnable::run);
        }
        if (random.nextInt(4) > 0) {
            world.servers.replicate();
        } else if (random.nextBoolean()) {
            world.servers.replicate(any());
        }
        if (random.nextBoolean()) {
            world.write();
        }
    }

    /** Ends something, some seconds from now. */
    private void later(int seconds, String what, Runnable ending) {
        underWay++;
        endings.computeIfAbsent(second + seconds, at -> new ArrayList<>()).add(() -> {
            underWay--;
            ending.run();
            tell(what);
        });
    }

    private int seconds() {
        return random.nextInt(3) == 0 ? 1 + random.nextInt(60) : 1 + random.nextInt(12);
    }

    private SimulatedServer any() {
        List<SimulatedServer> all = world.servers.all();
        return all.get(random.nextInt(all.size()));
    }

    /** More often the primary than any other. */
    private SimulatedServer victim() {
        String primary = world.status().currentPrimary();
        return primary != null && random.nextInt(3) == 0 ? world.servers.of(primary) : any();
    }

    private boolean hasPod(SimulatedServer server) {
        return world.context.get(Pod.class, server.pod).isPresent();
    }

    private void fault(Fault fault) {
        if (underWay >= mostAtOnce && fault.compareTo(Fault.COPIES_BREAK_OFF) < 0) {
            return;
        }
        SimulatedServer server = victim();
        SimulatedOperator operator = leader();
        int seconds = seconds();
        String what = switch (fault) {
            case SERVER_CRASHES -> crash(server, seconds, false);
            case VOLUME_IS_LOST -> crash(server, 1 + random.nextInt(8), true);
            case SERVER_HANGS -> hang(server, seconds);
            case NODE_IS_LOST -> loseNode(server, seconds + 20);
            case NODE_IS_ISOLATED -> isolate(server, seconds);
            case POD_IS_DELETED -> deletePod(server);
            case OPERATOR_LOSES_MEMBER -> loseMember(operator.cutOff, server, seconds);
            case OPERATOR_IS_NOT_ANSWERED -> loseMember(operator.unheard, server, seconds);
            case SERVERS_LOSE_ONE_ANOTHER -> loseWay(server, any(), seconds, true);
            case SERVERS_LOSE_ONE_DIRECTION -> loseWay(server, any(), seconds, false);
            case PRIMARY_LOSES_ALL_REPLICAS -> loseAll(seconds);
            case REPLICA_APPLIES_NOTHING -> holdBack(server, seconds);
            case COPIES_BREAK_OFF -> {
                world.node.breakJobsOff(1);
                yield "the next copy will break off";
            }
            case COPIES_FAIL -> {
                world.node.failJobs(true);
                later(seconds, "copies do not fail any more", () -> world.node.failJobs(false));
                yield "copies fail";
            }
            case COPIES_TAKE_TIME -> {
                world.node.slowJobs(random.nextInt(6));
                yield "copies take other time";
            }
            case OPERATOR_CRASHES -> breakTurn(operator, Calls.Fault.CRASH);
            case ANSWER_IS_LOST -> breakTurn(operator, Calls.Fault.ANSWER_LOST);
            case CALL_IS_NOT_DONE -> breakTurn(operator, Calls.Fault.NOT_DONE);
            case OPERATOR_PAUSES -> pause(operator);
            case LEADER_CHANGES -> changeLeader();
            case CLOCK_JUMPS -> {
                operator.ahead = Duration.ofSeconds(random.nextInt(241) - 120);
                yield "the clock of " + operator.name + " is ahead by " + operator.ahead;
            }
            case WATCH_LAGS -> {
                operator.context.lag(Pod.class, random.nextInt(4));
                yield "the watch of Pods lags";
            }
            case STATUS_IS_LOST -> loseStatus();
            case SWITCHOVER_IS_ASKED -> {
                spec.wantedPrimary = random.nextInt(spec.size + 1) - 1;
                world.spec(spec.yaml());
                yield "primaryOrdinal " + spec.wantedPrimary;
            }
            case SIZE_CHANGES -> {
                spec.size = 2 + random.nextInt(3);
                spec.wantedPrimary = Math.min(spec.wantedPrimary, spec.size - 1);
                world.spec(spec.yaml());
                yield "size " + spec.size;
            }
            case TEMPLATE_CHANGES -> {
                spec.image++;
                world.spec(spec.yaml());
                yield "image " + spec.image;
            }
        };
        if (!what.isEmpty()) {
            drawn.merge(fault.name(), 1, Integer::sum);
            tell(what);
        }
        promises.destroyed();
    }

    /** For good, unless nothing gets to the port for administration either. */
    private void crowd(Random dice) {
        List<SimulatedServer> all = world.servers.all();
        SimulatedServer server = all.get(dice.nextInt(all.size()));
        server.crowded = true;
        server.shut = dice.nextInt(3) == 0;
        if (server.shut) {
            later(seconds(), server.pod + " has connections again", () -> server.crowded = false);
        }
        tell("programs hold all connections of " + server.pod
                + (server.shut ? ", and its port for administration is shut" : ""));
    }

    private String crash(SimulatedServer server, int seconds, boolean volume) {
        if (!hasPod(server) || (volume && careful && !isWhole())) {
            return "";
        }
        world.node.kill(server.pod, Duration.ofSeconds(seconds));
        if (volume) {
            server.lose();
            server.passwords.clear();
            lostVolumes++;
        }
        later(seconds, "", () -> {});
        return server.pod + " ends for " + seconds + " s" + (volume ? ", and its volume is lost" : "");
    }

    /** Whether every member has all that was acknowledged, so that one may be lost. */
    private boolean isWhole() {
        return underWay == 0
                && world.servers.all().stream()
                        .allMatch(server -> server.up
                                && !server.incomplete
                                && server.rows.containsAll(world.servers.of(String.valueOf(first())).rows));
    }

    private String first() {
        String primary = world.status().currentPrimary();
        return primary == null ? world.servers.all().get(0).pod : primary;
    }

    private String hang(SimulatedServer server, int seconds) {
        server.silent = true;
        later(seconds, server.pod + " goes on", () -> server.silent = false);
        return server.pod + " hangs for " + seconds + " s";
    }

    private String loseNode(SimulatedServer server, int seconds) {
        if (!hasPod(server)) {
            return "";
        }
        world.node.loseNode(server.pod, Duration.ofSeconds(40));
        later(seconds, "the Node of " + server.pod + " is back", () -> world.node.bringBack(server.pod));
        return "the Node of " + server.pod + " is lost for " + seconds + " s";
    }

    private String isolate(SimulatedServer server, int seconds) {
        if (!hasPod(server)) {
            return "";
        }
        world.node.lose(server.pod);
        for (SimulatedServer each : world.servers.all()) {
            world.servers.roads.close(server.pod, each.pod);
            world.servers.roads.close(each.pod, server.pod);
        }
        later(seconds, server.pod + " is not isolated any more", () -> {
            world.node.bringBack(server.pod);
            world.servers.roads.openAll();
        });
        return server.pod + " and its clients are isolated for " + seconds + " s";
    }

    private String deletePod(SimulatedServer server) {
        if (!hasPod(server)) {
            return "";
        }
        world.node.deletePod(server.pod);
        return "the Pod " + server.pod + " is deleted";
    }

    private String loseMember(Set<String> lost, SimulatedServer server, int seconds) {
        lost.add(server.pod);
        later(seconds, "the operator and " + server.pod + " reach one another", () -> lost.remove(server.pod));
        return "the operator " + (lost == leader().unheard ? "does not hear " : "does not get to ") + server.pod
                + " for " + seconds + " s";
    }

    private String loseWay(SimulatedServer from, SimulatedServer to, int seconds, boolean both) {
        if (from == to) {
            return "";
        }
        Roads roads = world.servers.roads;
        roads.close(from.pod, to.pod);
        if (both) {
            roads.close(to.pod, from.pod);
        }
        later(seconds, from.pod + " reaches " + to.pod, () -> {
            roads.open(from.pod, to.pod);
            if (both) {
                roads.open(to.pod, from.pod);
            }
        });
        return from.pod + (both ? " and " + to.pod + " do not reach one another" : " does not reach " + to.pod)
                + " for " + seconds + " s";
    }

    private String loseAll(int seconds) {
        String primary = first();
        for (SimulatedServer each : world.servers.all()) {
            world.servers.roads.close(primary, each.pod);
            world.servers.roads.close(each.pod, primary);
        }
        later(seconds, primary + " reaches all replicas", () -> world.servers.roads.openAll());
        return primary + " reaches no replica for " + seconds + " s";
    }

    private String holdBack(SimulatedServer server, int seconds) {
        server.holdsBack = true;
        later(seconds, server.pod + " applies again", () -> server.holdsBack = false);
        return server.pod + " applies nothing for " + seconds + " s";
    }

    /** At a change that comes in this turn, or in one after it. */
    private String breakTurn(SimulatedOperator operator, Calls.Fault how) {
        int change = 1 + random.nextInt(12);
        operator.calls.breakAfter(change, how);
        return operator.name + ": " + how + " at its change " + change + " from now";
    }

    private String pause(SimulatedOperator operator) {
        int change = 1 + random.nextInt(12);
        boolean afterFence = random.nextInt(3) == 0;
        operator.pauseBefore(change, afterFence);
        return operator.name + " pauses " + (afterFence ? "after" : "before") + " the fence at its change " + change
                + " from now";
    }

    /**
     * The lease of one is over, and the other has it, in a new process or in one that had it before: the first does not
     * know, or has ended, or stands still.
     */
    private String changeLeader() {
        SimulatedOperator next = other();
        if (next.isPaused()) {
            return "";
        }
        leader().leads = false;
        next.leads = true;
        if (random.nextBoolean()) {
            next.restart();
            return next.name + " leads";
        }
        next.comeBack();
        return next.name + " has got the cluster";
    }

    private String loseStatus() {
        world.context.put(world.cluster().with(MySQLClusterStatus.NONE));
        statusLost = true;
        return "the status is lost";
    }

    /** All that is wrong is mended; the cluster has to come to itself. */
    private void calm() {
        while (!endings.isEmpty()) {
            endings.pollFirstEntry().getValue().forEach(Runnable::run);
        }
        world.node.failJobs(false);
        world.node.breakJobsOff(0);
        world.servers.roads.openAll();
        for (SimulatedServer server : world.servers.all()) {
            world.node.bringBack(server.pod);
        }
        operators.forEach(SimulatedOperator::calm);
        while (!endings.isEmpty()) {
            endings.pollFirstEntry().getValue().forEach(Runnable::run);
        }
        tell("all is mended");
        promises.destroyed();
        int quiet = 0;
        for (int i = 0; i < MOST_TURNS && quiet < 2; i++) {
            turn(leader());
            check();
            quiet = isQuiet() ? quiet + 1 : 0;
            passSecond();
            world.servers.replicate();
            check();
        }
        if (quiet == 2) {
            promises.release();
            Whole.check(world);
        } else if (excuse().isEmpty()) {
            throw failure("not well after " + MOST_TURNS + " turns without a fault");
        }
        drawn.merge(quiet == 2 ? "end: whole" : "end: " + excuse(), 1, Integer::sum);
    }

    private boolean isQuiet() {
        return "Running".equals(world.status().phase())
                && world.status().replicas() == world.status().targetSize()
                && world.status().observedGeneration()
                        == world.cluster().getMetadata().getGeneration()
                && !world.status().failover().underWay()
                && world.node.jobs().stream().noneMatch(this::isOfMember);
    }

    /** Those of members that are not asked for any more stay until they are asked for again. */
    private boolean isOfMember(String job) {
        return ClusterNames.ordinal("db-clone", job).orElse(spec.size) < spec.size;
    }

    /** What the cluster waits for, where it must be somebody who decides; empty if it has no reason to wait. */
    private String excuse() {
        List<String> reasons = new ArrayList<>();
        world.status()
                .conditions()
                .forEach(one -> reasons.add(one.getType() + " " + one.getStatus() + " " + one.getReason()));
        List<String> allowed = new ArrayList<>();
        if (lostVolumes > 0) {
            allowed.add("PrimaryReady False PrimaryLacksData");
            allowed.add("Degraded True NoFailoverCandidate");
            allowed.add("Degraded True IncomparableData");
            allowed.add("MemberDiverged True PrimaryLacksWrites");
        }
        if (statusLost) {
            allowed.add("Degraded True PrimaryUnknown");
            allowed.add("Degraded True BootstrapFailed");
            allowed.add("Degraded True IncomparableData");
        }
        if (!spec.reclone) {
            allowed.add("MemberDiverged True HistoryDiffers");
        }
        return allowed.stream().filter(reasons::contains).findFirst().orElse("");
    }

    @Override
    public void close() {
        operators.forEach(SimulatedOperator::close);
    }
}

package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Whatever the operator does goes wrong once, at each of its calls; clients write all the time. */
class InterruptedOperatorTest {

    private static final String THREE = "size: 3\nfailover: {delaySeconds: 2}\nreplication: {semiSync: true}\n";
    private static final String ASYNCHRONOUS = "size: 3\n";
    private static final List<String> ONCE = List.of(
            "FailoverStarted",
            "FailoverCompleted",
            "SwitchoverCompleted",
            "RolloutCompleted",
            "RestoreStarted",
            "Restored");
    private static final Duration LONG = Duration.ofSeconds(6);

    @TestFactory
    Stream<DynamicTest> a_bootstrap_survives_it() {
        return atEachCall(() -> new SimulatedCluster(THREE), cluster -> {});
    }

    @TestFactory
    Stream<DynamicTest> a_failover_survives_it() {
        return atEachCall(() -> SimulatedCluster.running(THREE), cluster -> cluster.node.kill("db-0", LONG));
    }

    @TestFactory
    Stream<DynamicTest> a_failover_from_a_primary_that_restarts_meanwhile_survives_it() {
        return crashes(
                () -> SimulatedCluster.running(THREE), cluster -> cluster.node.kill("db-0", Duration.ofSeconds(3)));
    }

    @TestFactory
    Stream<DynamicTest> a_failover_that_leaves_a_diverged_member_survives_it() {
        return crashes(() -> SimulatedCluster.running(THREE), cluster -> {
            cluster.server(0).write();
            cluster.node.kill("db-0", LONG);
        });
    }

    @TestFactory
    Stream<DynamicTest> a_switchover_survives_it() {
        return atEachCall(
                () -> SimulatedCluster.running(ASYNCHRONOUS),
                cluster -> cluster.spec(ASYNCHRONOUS + "replication: {primaryOrdinal: 2}\n"));
    }

    @TestFactory
    Stream<DynamicTest> a_copy_for_a_new_member_survives_it() {
        return atEachCall(
                () -> SimulatedCluster.running("size: 2\nreplication: {semiSync: true}\n"),
                cluster -> cluster.spec("size: 3\nreplication: {semiSync: true}\n"));
    }

    @TestFactory
    Stream<DynamicTest> a_copy_of_data_files_for_a_new_member_survives_it() {
        return atEachCall(
                () -> SimulatedCluster.running("size: 2\nimage: mariadb:10.11\n"),
                cluster -> cluster.spec("size: 3\nimage: mariadb:10.11\n"));
    }

    @TestFactory
    Stream<DynamicTest> a_copy_that_breaks_off_half_way_survives_it() {
        return crashes(() -> SimulatedCluster.running("size: 2\n"), cluster -> {
            cluster.server(1).lose();
            cluster.node.breakJobsOff(1);
        });
    }

    @TestFactory
    Stream<DynamicTest> a_rollout_survives_it() {
        return crashes(() -> SimulatedCluster.running(THREE), cluster -> cluster.spec(THREE + "image: mariadb:11\n"));
    }

    @TestFactory
    Stream<DynamicTest> a_growth_of_volumes_survives_it() {
        return atEachCall(
                () -> SimulatedCluster.running(THREE), cluster -> cluster.spec(THREE + "storage: {size: 2Gi}\n"));
    }

    @TestFactory
    Stream<DynamicTest> a_restore_survives_it() {
        return atEachCall(
                () -> SimulatedCluster.running("size: 2\nreplication: {semiSync: true}\n"), SimulatedCluster::restore);
    }

    @TestFactory
    Stream<DynamicTest> a_change_of_passwords_survives_it() {
        return atEachCall(
                () -> SimulatedCluster.running(THREE + RotationTest.WITH_PROGRAMS),
                cluster -> {
                    cluster.checkLogins();
                    cluster.annotate("database.example.com/rotate-passwords", "now");
                },
                RotationTest::isRotated);
    }

    @TestFactory
    Stream<DynamicTest> going_below_the_primary_survives_it() {
        return crashes(
                () -> {
                    SimulatedCluster cluster = SimulatedCluster.running("size: 3\nreplication: {primaryOrdinal: 2}\n");
                    assertThat(cluster.status().currentPrimary()).isEqualTo("db-2");
                    return cluster;
                },
                cluster -> cluster.spec("size: 2\n"));
    }

    /** The same ways as elsewhere, by other routes: what becomes of a call that fails is tried there. */
    private static Stream<DynamicTest> crashes(Supplier<SimulatedCluster> begin, Consumer<SimulatedCluster> upset) {
        return at(call -> Stream.of(Calls.Fault.CRASH), begin, upset, cluster -> {});
    }

    private static Stream<DynamicTest> atEachCall(Supplier<SimulatedCluster> begin, Consumer<SimulatedCluster> upset) {
        return atEachCall(begin, upset, cluster -> {});
    }

    private static Stream<DynamicTest> atEachCall(
            Supplier<SimulatedCluster> begin, Consumer<SimulatedCluster> upset, Consumer<SimulatedCluster> check) {
        return at(InterruptedOperatorTest::faults, begin, upset, check);
    }

    private static Stream<DynamicTest> at(
            Function<String, Stream<Calls.Fault>> faults,
            Supplier<SimulatedCluster> begin,
            Consumer<SimulatedCluster> upset,
            Consumer<SimulatedCluster> check) {
        SimulatedCluster first = begin.get();
        boolean settled = first.status().currentPrimary() != null;
        SimulatedCluster undisturbed = settled ? first.again() : first;
        upset.accept(undisturbed);
        undisturbed.settle();
        Whole.check(undisturbed);
        check.accept(undisturbed);
        List<String> calls = undisturbed.calls.made();
        return calls.stream()
                .flatMap(call -> faults.apply(call)
                        .map(fault -> DynamicTest.dynamicTest(fault + " " + call, () -> {
                            SimulatedCluster cluster = settled ? first.again() : begin.get();
                            cluster.calls.breakAt(call, fault);
                            upset.accept(cluster);
                            cluster.settle();
                            Whole.check(cluster);
                            check.accept(cluster);
                            tellsNothingTwice(cluster.events, undisturbed.events);
                        })));
    }

    /** A call to the API server that fails ends the reconcile: as a crash does, but what is remembered stays. */
    private static Stream<Calls.Fault> faults(String call) {
        boolean isSql = call.matches("[a-zA-Z]+ db-[0-9] #.*") && !call.startsWith("delete");
        return isSql ? Arrays.stream(Calls.Fault.values()) : Stream.of(Calls.Fault.CRASH);
    }

    /** What happens once is told once, and nothing is told that did not happen. */
    private static void tellsNothingTwice(List<String> events, List<String> undisturbed) {
        for (String once : ONCE) {
            assertThat(count(events, once)).as("%s of %s", once, events).isLessThanOrEqualTo(count(undisturbed, once));
        }
        for (String never : List.of("SplitBrain", "MemberDiverged")) {
            if (count(undisturbed, never) == 0) {
                assertThat(count(events, never)).as("%s of %s", never, events).isZero();
            }
        }
    }

    private static int count(List<String> events, String reason) {
        return Collections.frequency(
                events.stream()
                        .map(event -> event.replaceFirst("^\\w+ ", "").replaceFirst(":.*", ""))
                        .toList(),
                reason);
    }
}

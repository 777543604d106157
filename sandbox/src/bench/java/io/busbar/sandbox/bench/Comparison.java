package io.busbar.sandbox.bench;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a test has to wait for and to pay for on each of the servers that it can choose from, as a table: how long one
 * takes to start, what memory it takes, how many ConfigMaps one client of fabric8's makes in a second. They take turns,
 * so that what else the machine does meets all.
 *
 * <p>{@code mvn -Pbench -Dbench.main=io.busbar.sandbox.bench.Comparison -pl sandbox -am -DskipTests verify}; a real
 * control plane takes part, as envtest and kube-api-test start it, where KUBEBUILDER_ASSETS names a folder with etcd
 * and kube-apiserver.
 */
public final class Comparison {

    private static final int ROUNDS = 5;

    private Comparison() {}

    public static void main(String[] arguments) throws Exception {
        Map<TestServer.Kind, List<double[]>> all = new EnumMap<>(TestServer.Kind.class);
        for (int round = 1; round <= ROUNDS; round++) {
            for (TestServer.Kind kind : TestServer.Kind.values()) {
                if (kind.isHere()) {
                    double[] figures = turn(kind);
                    all.computeIfAbsent(kind, unused -> new ArrayList<>()).add(figures);
                    System.out.println(round + " " + kind + " " + Arrays.toString(figures));
                }
            }
        }
        print(all);
    }

    /**
     * A server's memory is that of its processes; in the test's JVM, by how much that is larger than those with the
     * client alone.
     */
    private static void print(Map<TestServer.Kind, List<double[]>> all) {
        List<double[]> clients = all.entrySet().stream()
                .filter(entry -> !entry.getKey().inProcess())
                .flatMap(entry -> entry.getValue().stream())
                .toList();
        double client = clients.isEmpty() ? 0 : median(clients, 4);
        System.out.printf("(a test's JVM with the client alone has %,.0f MB)%n", client);
        System.out.println("| | start | another | creates/s at first | later | memory |");
        System.out.println("|---|---|---|---|---|---|");
        all.forEach((kind, rounds) -> System.out.printf(
                "| %s | %,.0f ms | %,.0f ms | %,.0f | %,.0f | %,.0f MB |%n",
                kind.title(),
                median(rounds, 0),
                median(rounds, 1),
                median(rounds, 2),
                median(rounds, 3),
                kind.inProcess() ? median(rounds, 4) - client : median(rounds, 5)));
    }

    private static double median(List<double[]> rounds, int column) {
        double[] sorted =
                rounds.stream().mapToDouble(figures -> figures[column]).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** In a JVM of its own, as that of a test. */
    private static double[] turn(TestServer.Kind kind) throws Exception {
        Path told = Files.createTempFile("comparison", ".txt");
        Process test = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-XX:+UseSerialGC",
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ComparedTest.class.getName(),
                        kind.name())
                .redirectOutput(told.toFile())
                .redirectError(new File("/dev/null"))
                .start();
        if (!test.waitFor(10, TimeUnit.MINUTES) || test.exitValue() != 0) {
            throw new IllegalStateException(kind + " fails: " + Files.readString(told));
        }
        return Arrays.stream(Files.readString(told).strip().split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }
}

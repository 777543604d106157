package io.busbar.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench blueprint}: the operator for Blueprints beside a bare loop that sends the same requests. Instances are
 * there before either begins; what is measured is the time from the first that is ready to the last.
 */
@Command(
        name = "blueprint",
        mixinStandardHelpOptions = true,
        description =
                "Has the operator for Blueprints, and a bare loop that sends the same requests, serve many instances of a "
                        + "Blueprint of five resources in turns, on a cluster as above, and tells how long it takes from the "
                        + "first that is ready to the last.")
final class BlueprintBenchmark implements Callable<Integer> {

    private static final String OPERATOR_NAMESPACE = "blueprint-operator-system";
    private static final Pattern REQUESTS =
            Pattern.compile("(?m)^rest_client_requests_total\\{.*method=\"(\\w+)\".*} ([0-9.E]+)$");
    private static final Pattern RECONCILES = Pattern.compile(
            "(?m)^controller_runtime_reconcile_total\\{controller=\"sites.bench.example.com\".*} ([0-9.E]+)$");
    /** Until this process and the server are warm: what is measured is not how they become so. */
    private static final int WARM_UP = 4;

    /** For what is late, such as reconciles that events of the objects ask for. */
    private static final int LATE_SECONDS = 5;

    @Option(
            names = "--instances",
            paramLabel = "COUNT",
            defaultValue = "1000",
            description = "How many there are; default: ${DEFAULT-VALUE}.")
    private int instances;

    @Option(
            names = "--workers",
            paramLabel = "COUNT",
            defaultValue = "4",
            description = "How many may be served at once; default: ${DEFAULT-VALUE}, as the operator has it.")
    private int workers;

    @Option(
            names = "--rounds",
            paramLabel = "COUNT",
            defaultValue = "3",
            description = "How often each has its turn; default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--jvm",
            paramLabel = "OPTION",
            description = "A further option of the operator's JVM, such as of a profiler; more than one may be given.")
    private List<String> jvm = List.of();

    /** @param requests by method, and {@code reconciles} */
    private record Turn(double seconds, double cpuSeconds, Map<String, Long> requests) {}

    @Override
    public Integer call() throws Exception {
        int port = freePort();
        try (Cluster cluster = Cluster.open(Benchmark.JAR)) {
            prepare(cluster);
            Contender operator =
                    Contender.ofBlueprints(Benchmark.JAR, cluster, port).with(jvm);
            for (int i = 0; i < WARM_UP; i++) {
                loop(cluster);
            }
            Contender alike = Contender.ofSiteLoop();
            List<Double> warm = new ArrayList<>();
            List<Turn> bare = new ArrayList<>();
            List<Turn> turns = new ArrayList<>();
            List<Turn> seasoned = new ArrayList<>();
            for (int number = 1; number <= rounds; number++) {
                warm.add(loop(cluster));
                try (OperatorProcess process = OperatorProcess.start(alike, workers, cluster.kubeconfig())) {
                    bare.add(turn(cluster, process, () -> Map.of("POST", 5L * instances, "PATCH", 2L * instances)));
                }
                try (OperatorProcess process = OperatorProcess.start(operator, workers, cluster.kubeconfig())) {
                    turns.add(turn(cluster, process, () -> requests(port)));
                    for (int i = 0; i < WARM_UP; i++) {
                        turn(cluster, process, () -> requests(port));
                    }
                    seasoned.add(turn(cluster, process, () -> requests(port)));
                }
                System.out.printf(
                        "round %d: warm loop %.2f s, loop alike %s, operator %s, warm %s%n",
                        number,
                        warm.get(number - 1),
                        bare.get(number - 1),
                        turns.get(number - 1),
                        seasoned.get(number - 1));
            }
            report(cluster, warm, bare, turns, seasoned);
        }
        return 0;
    }

    private void report(Cluster cluster, List<Double> warm, List<Turn> bare, List<Turn> turns, List<Turn> seasoned) {
        System.out.printf(
                "%d instances of 5 resources, %d at once, %d turns of each, on %s; from the first that is ready to the last:%n",
                instances, workers, rounds, cluster.description());
        System.out.printf("  bare loop in a JVM that is warm, with both compilers: %s s%n", Report.spread(warm));
        print("bare loop in a new JVM with the operator's options", bare);
        print("operator in a new JVM", turns);
        print("operator that has served as many " + (WARM_UP + 1) + " times before", seasoned);
        System.out.printf(
                "  ratio of the medians: %.2f where both are new, %.2f where both are warm%n",
                Report.median(seconds(turns)) / Report.median(seconds(bare)),
                Report.median(seconds(seasoned)) / Report.median(warm));
    }

    private static void print(String name, List<Turn> turns) {
        System.out.printf(
                "  %s: %s s, %s CPU s; requests and reconciles since its start: %s%n",
                name,
                Report.spread(seconds(turns)),
                Report.spread(turns.stream().map(Turn::cpuSeconds).toList()),
                turns.get(turns.size() - 1).requests());
    }

    private static List<Double> seconds(List<Turn> turns) {
        return turns.stream().map(Turn::seconds).toList();
    }

    /** The definitions, the Blueprint, and its account. */
    private static void prepare(Cluster cluster) throws Exception {
        Path folder = Files.createTempDirectory("busbar-bench-manifests");
        Process written = new ProcessBuilder(
                        OperatorProcess.JAVA,
                        "-jar",
                        Benchmark.JAR.toString(),
                        "blueprint-operator",
                        "manifests",
                        "--output=" + folder)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        if (written.waitFor() != 0) {
            throw new IllegalStateException("no manifests were written: see " + folder.resolve("log"));
        }
        try (Stream<Path> definitions = Files.list(folder.resolve("config/crd/bases"))) {
            for (Path definition : definitions.sorted().toList()) {
                cluster.apply(Files.readString(definition));
            }
        }
        String text = """
                {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"%1$s"}}
                ---
                {"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"sites","namespace":"%1$s"}}
                """.formatted(OPERATOR_NAMESPACE);
        cluster.apply(text);
        try (InputStream blueprint = BlueprintBenchmark.class.getResourceAsStream("site.yaml")) {
            cluster.apply(new String(blueprint.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private double loop(Cluster cluster) throws Exception {
        Sites sites = new Sites(cluster, instances);
        try {
            SiteLoop.run(sites.all(), workers);
            sites.awaitReady(instances, () -> {});
            sites.requireObjects();
            return sites.seconds();
        } finally {
            sites.clear();
        }
    }

    /** The instances are there before it looks for them. */
    private Turn turn(Cluster cluster, OperatorProcess operator, Callable<Map<String, Long>> requests)
            throws Exception {
        operator.hold();
        Sites sites = new Sites(cluster, instances);
        try {
            operator.goOn();
            sites.awaitReady(1, operator::requireAlive);
            Duration before = operator.cpu();
            sites.awaitReady(instances, operator::requireAlive);
            double cpu = operator.cpu().minus(before).toMillis() / 1e3;
            TimeUnit.SECONDS.sleep(LATE_SECONDS);
            sites.requireObjects();
            return new Turn(sites.seconds(), cpu, requests.call());
        } finally {
            sites.clear();
        }
    }

    private static Map<String, Long> requests(int port) throws IOException, InterruptedException {
        String metrics = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
        Map<String, Long> counts = new TreeMap<>();
        for (Matcher line = REQUESTS.matcher(metrics); line.find(); ) {
            counts.merge(line.group(1), (long) Double.parseDouble(line.group(2)), Long::sum);
        }
        for (Matcher line = RECONCILES.matcher(metrics); line.find(); ) {
            counts.merge("reconciles", (long) Double.parseDouble(line.group(1)), Long::sum);
        }
        return counts;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}

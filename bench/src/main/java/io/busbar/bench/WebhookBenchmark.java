package io.busbar.bench;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench webhook}: the webhook for Pods, with several sets of options of its JVM, beside a bare server that sends
 * back what it gets.
 */
@Command(
        name = "webhook",
        mixinStandardHelpOptions = true,
        description = "Has the webhook for Pods, with several sets of options of its JVM, and a bare TLS server that "
                + "sends back what it gets, answer reviews of a Pod in turns, and tells how many, and what that takes. The "
                + "clients are on this machine, and take their share of it.")
final class WebhookBenchmark implements Callable<Integer> {

    private static final Path DEFINITION = Path.of("manifests/config/crd/bases/apps.kruise.io_sidecarsets.yaml");
    private static final String ECHO = "echo";

    private static final String HEAD = """
            # The webhook for Pods

            Written by `mvn -Pcompare -pl bench -am -DskipTests verify -Dcompare.args="webhook --write FILE"`:
            servers answer reviews of a Pod in turns. There are %d SidecarSets of which one matches the Pod, whose review has
            %d bytes; %d clients on the same machine, each with a connection of its own, ask again once they are answered; each
            server had %d turns of %d s, after as long to warm up. A figure is the median of these, with the least and the most.
            Only what stands in one table can be compared. MiB are resident at the end of a turn.

            %s
            | | answers, of the echo's | CPU seconds per 10,000 | p50, ms | p99, ms | MiB |
            |---|---|---|---|---|---|
            """;

    @Option(
            names = "--sets",
            paramLabel = "COUNT",
            defaultValue = "50",
            description = "How many SidecarSets there are, of which one matches; default: ${DEFAULT-VALUE}.")
    private int sets;

    @Option(
            names = "--connections",
            paramLabel = "COUNT",
            defaultValue = "32",
            description = "How many clients there are, each of which asks again when it is answered; default: "
                    + "${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = "--seconds",
            paramLabel = "COUNT",
            defaultValue = "10",
            description = "How long a turn is, after as long to warm up; default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--rounds",
            paramLabel = "COUNT",
            defaultValue = "3",
            description = "How often each has its turn; default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--write",
            paramLabel = "FILE",
            description = "Where the report is written, in Markdown; default: nowhere.")
    private @Nullable Path file;

    /** @param cpuSeconds of the server, for 10,000 answers */
    private record Turn(Reviewers.Answers answers, double cpuSeconds, long mebibytes) {

        double perSecond() {
            return answers.perSecond();
        }

        @Override
        public String toString() {
            return "%.0f/s, %.2f CPU s per 10,000, p50 %.1f ms, p99 %.1f ms, %d MiB"
                    .formatted(perSecond(), cpuSeconds, answers.millis(0.5), answers.millis(0.99), mebibytes);
        }
    }

    @Override
    public Integer call() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (Cluster cluster = Cluster.open(Benchmark.JAR)) {
            cluster.apply(Files.readString(DEFINITION));
            // For what keeps the authority of self-signed certificates.
            cluster.apply("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"busbar-system\"}}");
            makeSets(cluster);
            int port = freePort();
            List<Contender> contenders = new ArrayList<>(Contender.ofWebhooks(Benchmark.JAR, cluster, port));
            contenders.add(0, Contender.ofEcho(ECHO, port));
            turn(vertx, contenders.get(0), cluster, port); // until this process is warm
            Map<Contender, List<Turn>> turns = new LinkedHashMap<>();
            for (int number = 1; number <= rounds; number++) {
                for (Contender contender : contenders) {
                    Turn turn = turn(vertx, contender, cluster, port);
                    turns.computeIfAbsent(contender, first -> new ArrayList<>()).add(turn);
                    System.out.printf("round %d: %s %s%n", number, contender.name(), turn);
                }
            }
            String report = report(cluster, turns);
            System.out.println(report);
            if (file != null) {
                Files.writeString(file, report);
            }
        } finally {
            vertx.close().await();
        }
        return 0;
    }

    private Turn turn(Vertx vertx, Contender contender, Cluster cluster, int port) throws Exception {
        try (OperatorProcess server = OperatorProcess.start(contender, 1, cluster.kubeconfig());
                Reviewers reviewers = new Reviewers(vertx, port, connections)) {
            reviewers.awaitAnswer(!contender.name().equals(ECHO), server::requireAlive);
            reviewers.ask(Duration.ofSeconds(seconds));
            Duration before = server.cpu();
            Reviewers.Answers answers = reviewers.ask(Duration.ofSeconds(seconds));
            double cpu = server.cpu().minus(before).toMillis() / 1e3;
            return new Turn(answers, cpu * 10_000 / answers.count(), server.mebibytes());
        }
    }

    private String report(Cluster cluster, Map<Contender, List<Turn>> turns) throws IOException {
        double echo = turns.entrySet().stream()
                .filter(each -> each.getKey().name().equals(ECHO))
                .mapToDouble(each -> median(each.getValue(), Turn::perSecond))
                .findFirst()
                .orElseThrow();
        StringBuilder text = new StringBuilder(HEAD.formatted(
                sets,
                Reviewers.review().length(),
                connections,
                rounds,
                seconds,
                Report.circumstances(cluster.description())));
        turns.forEach((contender, all) -> text.append("| %s | %.2f | %s | %s | %s | %s |\n"
                .formatted(
                        contender.name(),
                        median(all, Turn::perSecond) / echo,
                        spread(all, Turn::cpuSeconds),
                        spread(all, turn -> turn.answers().millis(0.5)),
                        spread(all, turn -> turn.answers().millis(0.99)),
                        spread(all, Turn::mebibytes))));
        text.append('\n');
        turns.keySet().forEach(contender -> text.append("- `%s`: %s\n".formatted(contender.name(), contender.about())));
        return text.toString();
    }

    private static double median(List<Turn> turns, ToDoubleFunction<Turn> figure) {
        return Report.median(turns.stream().mapToDouble(figure).boxed().toList());
    }

    private static String spread(List<Turn> turns, ToDoubleFunction<Turn> figure) {
        return Report.spread(turns.stream().mapToDouble(figure).boxed().toList());
    }

    private void makeSets(Cluster cluster) {
        for (int i = 0; i < sets; i++) {
            cluster.apply("""
                    apiVersion: apps.kruise.io/v1beta1
                    kind: SidecarSet
                    metadata: {name: bench-%1$d}
                    spec:
                      selector: {matchLabels: {app: bench-%1$d}}
                      updateStrategy: {type: NotUpdate}
                      containers:
                      - {name: proxy-%1$d, image: "example/proxy:1", env: [{name: MODE, value: bench}]}
                    """.formatted(i));
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}

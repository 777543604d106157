package io.busbar.bench;

import io.busbar.bench.Round.Figure;
import io.busbar.bench.Round.Phase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs all contenders in turns, as often as asked for, and reports. */
@Command(
        name = "bench",
        subcommands = {BlueprintBenchmark.class, WebhookBenchmark.class},
        mixinStandardHelpOptions = true,
        description =
                "Has this operator and its peers serve many PodSets in turns, on the cluster of KUBECONFIG or on a "
                        + "sandbox of its own where that is not set, and tells what it takes. Nothing else should work on the "
                        + "cluster or the machine meanwhile.")
public final class Benchmark implements Callable<Integer> {

    static final Path JAR = Path.of("operator/target/busbar.jar");

    @Option(
            names = "--sets",
            paramLabel = "COUNT",
            defaultValue = "1000",
            description = "How many PodSets there are; default: ${DEFAULT-VALUE}.")
    private int sets;

    @Option(
            names = "--workers",
            paramLabel = "COUNT",
            split = ",",
            defaultValue = "1,4",
            description = "How many reconciles may run at once; a table for each. Default: ${DEFAULT-VALUE}.")
    private List<Integer> workers = List.of();

    @Option(
            names = "--rounds",
            paramLabel = "COUNT",
            defaultValue = "3",
            description = "How often each has its turn; default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--contenders",
            paramLabel = "NAME",
            split = ",",
            defaultValue = "busbar,busbar-c1,josdk",
            description = "Who takes part; default: ${DEFAULT-VALUE}.")
    private List<String> contenders = List.of();

    @Option(
            names = "--write",
            paramLabel = "FILE",
            description = "Where the report is written, in Markdown, such as docs/benchmarks.md; default: nowhere.")
    private @Nullable Path file;

    @Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Benchmark())
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println("bench: " + failure.getMessage());
                    return command.getCommandSpec().exitCodeOnExecutionException();
                })
                .execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        requirePositive("--sets", sets);
        requirePositive("--rounds", rounds);
        for (int count : workers) {
            requirePositive("--workers", count);
        }
        for (String name : contenders) {
            if (!Contender.NAMES.contains(name)) {
                throw wrong("--contenders: '" + name + "' is none; allowed: " + String.join(", ", Contender.NAMES));
            }
        }
        if (!Files.exists(JAR)) {
            throw wrong(JAR + " is not there: it is built by mvn -pl operator -am -DskipTests package");
        }
        try (Cluster cluster = Cluster.open(JAR)) {
            List<Contender> chosen = new ArrayList<>();
            for (String name : contenders) {
                chosen.add(Contender.of(name, JAR, cluster));
            }
            Report report = new Report(cluster.description(), sets, rounds, chosen);
            for (int count : workers) {
                measure(new Round(cluster, sets, count), count, chosen, report);
            }
            System.out.println(report.text());
            if (file != null) {
                Files.writeString(file, report.text());
            }
        }
        return 0;
    }

    private void measure(Round round, int workerCount, List<Contender> chosen, Report report) throws Exception {
        round.bareLoopSeconds(); // until this process and the server are warm
        List<Double> bare = new ArrayList<>();
        Map<Contender, List<Map<Phase, Figure>>> figures = new LinkedHashMap<>();
        for (int number = 1; number <= rounds; number++) {
            double seconds = round.bareLoopSeconds();
            bare.add(seconds);
            System.out.printf("%d at once, round %d: bare loop %.1f s%n", workerCount, number, seconds);
            for (Contender contender : chosen) {
                Map<Phase, Figure> one = round.of(contender);
                figures.computeIfAbsent(contender, first -> new ArrayList<>()).add(one);
                System.out.printf("%d at once, round %d: %s %s%n", workerCount, number, contender.name(), one);
            }
        }
        report.add(workerCount, bare, figures);
    }

    private void requirePositive(String flag, int value) {
        if (value < 1) {
            throw wrong(flag + ": " + value + " is not allowed; allowed: 1 and more");
        }
    }

    private ParameterException wrong(String message) {
        CommandLine.Model.CommandSpec command = spec;
        if (command == null) {
            throw new IllegalStateException(message);
        }
        return new ParameterException(command.commandLine(), message);
    }
}

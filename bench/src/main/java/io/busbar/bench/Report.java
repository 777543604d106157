package io.busbar.bench;

import io.busbar.bench.Round.Figure;
import io.busbar.bench.Round.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What was measured, as Markdown: medians, with the least and the most of all rounds. */
final class Report {

    private static final String PEER = "josdk";

    /**
     * Of controller-runtime 0.24 in Go, with one reconcile at once: seconds, CPU seconds, MiB. They were taken on another
     * day, on another machine of this kind, and are no part of any run.
     */
    private static final Map<Phase, String> GO = new EnumMap<>(Map.of(
            Phase.IDLE, "| – | – | 30 |",
            Phase.CONVERGE, "| – | 5.1–5.4 | 77 |",
            Phase.GROW, "| – | 4.3 | 82 |",
            Phase.SHRINK, "| – | 4.6 | 82 |",
            Phase.START, "| 0.37 | 0.15 | 49 |"));

    private static final int GO_SETS = 1000;

    private static final String HEAD = """
            # Benchmarks

            Written by `mvn -Pcompare -pl bench -am -DskipTests verify -Dcompare.args="--write docs/benchmarks.md"`: this operator
            and its peers serve PodSets in turns, on the cluster of `KUBECONFIG` or on a sandbox of its own. Here there were
            %d sets, and %d turns of each. A figure is the median of these, with the least and the most. Only what stands in one
            table can be compared: other machines give other figures. MiB are resident at the end of a phase.

            %s""";

    private final StringBuilder text = new StringBuilder();
    private final int sets;

    Report(String cluster, int sets, int rounds, List<Contender> contenders) throws IOException {
        this.sets = sets;
        text.append(HEAD.formatted(sets, rounds, circumstances(cluster)));
        for (Contender contender : contenders) {
            line("- `%s`: %s".formatted(contender.name(), contender.about()));
        }
        line(
                "- `controller-runtime`, given: not measured here, but on another day, on another machine of two cores; version 0.24");
        line("  in Go, 1000 sets, one at once. It says where the aim is, not who wins by how much.");
    }

    /** When and on what a run was made, as lines of a list. */
    static String circumstances(String cluster) throws IOException {
        return """
                - Date: %s
                - Machine: %s
                - JVM: %s
                - Cluster: %s, on the same machine
                """.formatted(
                        LocalDate.now(ZoneOffset.UTC),
                        machine(),
                        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
                        cluster);
    }

    private static String machine() throws IOException {
        String model = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(System.getProperty("os.arch"));
        String memory = Files.readAllLines(Path.of("/proc/meminfo")).stream()
                .filter(line -> line.startsWith("MemTotal:"))
                .map(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024 / 1024 + " GiB")
                .findFirst()
                .orElse("");
        return Runtime.getRuntime().availableProcessors() + " processors, " + model + ", " + memory + ", "
                + System.getProperty("os.name") + " " + System.getProperty("os.version");
    }

    void add(int workers, List<Double> bare, Map<Contender, List<Map<Phase, Figure>>> figures) {
        line("");
        line("## With %s at once".formatted(workers == 1 ? "one reconcile" : workers + " reconciles"));
        line("");
        line("A loop that does the same writes as the first phase, and nothing else, takes %s s."
                .formatted(spread(bare)));
        for (Phase phase : Phase.values()) {
            line("");
            line("### %s".formatted(capital(phase.title())));
            line("");
            line("| | seconds | CPU seconds | MiB | CPU of %s's | MiB of %s's |".formatted(PEER, PEER));
            line("|---|---|---|---|---|---|");
            List<Figure> peers = figures.entrySet().stream()
                    .filter(each -> each.getKey().name().equals(PEER))
                    .flatMap(each -> of(phase, each.getValue()).stream())
                    .toList();
            figures.forEach((contender, rounds) -> row(contender.name(), of(phase, rounds), peers, phase));
            if (sets == GO_SETS && workers == 1) {
                line("| controller-runtime, given %s | |".formatted(GO.getOrDefault(phase, "")));
            }
        }
    }

    private void row(String name, List<Figure> rounds, List<Figure> peers, Phase phase) {
        line("| %s | %s | %s | %s | %s | %s |"
                .formatted(
                        name,
                        phase == Phase.IDLE ? "–" : spread(all(rounds, Figure::seconds)),
                        spread(all(rounds, Figure::cpuSeconds)),
                        spread(all(rounds, Figure::mebibytes)),
                        ratio(rounds, peers, Figure::cpuSeconds),
                        ratio(rounds, peers, Figure::mebibytes)));
    }

    private static List<Figure> of(Phase phase, List<Map<Phase, Figure>> rounds) {
        return rounds.stream()
                .flatMap(round -> Stream.ofNullable(round.get(phase)))
                .toList();
    }

    private static List<Double> all(List<Figure> rounds, ToDoubleFunction<Figure> figure) {
        return rounds.stream().mapToDouble(figure).boxed().toList();
    }

    private static String ratio(List<Figure> rounds, List<Figure> peers, ToDoubleFunction<Figure> figure) {
        return peers.isEmpty() ? "–" : "%.2f".formatted(median(all(rounds, figure)) / median(all(peers, figure)));
    }

    static String spread(List<Double> values) {
        String format = values.stream().allMatch(value -> value >= 20) ? "%.0f" : "%.2f";
        String median = format.formatted(median(values));
        return values.size() == 1
                ? median
                : median + " ("
                        + format.formatted(values.stream().min(Double::compare).orElseThrow()) + "–"
                        + format.formatted(values.stream().max(Double::compare).orElseThrow()) + ")";
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    private static String capital(String title) {
        return Character.toUpperCase(title.charAt(0)) + title.substring(1);
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    String text() {
        return text.toString();
    }
}

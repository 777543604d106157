package io.busbar.bench;

import io.busbar.bench.josdk.PodSetOperator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * A program that serves PodSets.
 *
 * @param about what it is, for people
 */
record Contender(String name, String about, List<String> options, List<String> program) {

    private static final String WORKERS = "{workers}";

    private static final long REHEARSAL_SECONDS = 8;

    /** Where the Deployment's options of the JVM stand. */
    private static final Path DEPLOYMENT = Path.of("manifests/config/manager/manager.yaml");

    /** What a run may name. */
    static final List<String> NAMES = List.of("busbar", "busbar-c2", "josdk");

    /** @param name one of {@link #NAMES} */
    static Contender of(String name, Path jar, Cluster cluster) throws IOException, InterruptedException {
        return switch (name) {
            case "busbar" ->
                busbar(name, "this operator with the options that its Deployment has", jar, deployedOptions(), cluster);
            case "busbar-c2" -> busbar(name, "the same with both compilers", jar, withBothCompilers(), cluster);
            default ->
                new Contender(
                        name,
                        "the Java Operator SDK on the same client, no options",
                        List.of(),
                        List.of(
                                "-cp",
                                System.getProperty("java.class.path"),
                                PodSetOperator.class.getName(),
                                Cluster.NAMESPACE,
                                WORKERS));
        };
    }

    private static List<String> withBothCompilers() throws IOException {
        return deployedOptions().stream()
                .filter(option -> !option.matches("-XX:(TieredStopAtLevel|CICompilerCount|CompileThresholdScaling).*"))
                .toList();
    }

    private static Contender busbar(String name, String about, Path jar, List<String> options, Cluster cluster)
            throws IOException, InterruptedException {
        return archived(
                name,
                about,
                jar,
                options,
                List.of(
                        "run",
                        "--operators=podset",
                        "--watch-namespaces=" + Cluster.NAMESPACE,
                        "--metrics-bind-address=0"),
                cluster);
    }

    /**
     * The operator for Blueprints with the options that its Deployment has.
     *
     * @param port of its metrics, on this machine
     */
    static Contender ofBlueprints(Path jar, Cluster cluster, int port) throws IOException, InterruptedException {
        return archived(
                "blueprint-operator",
                "the operator for Blueprints with the options that its Deployment has",
                jar,
                deployedOptions(),
                List.of(
                        "blueprint-operator",
                        "run",
                        "--metrics-bind-address=127.0.0.1:" + port,
                        "--metrics-secure=false"),
                cluster);
    }

    /** The bare loop in a process of its own, with the options of the JVM that the operator has. */
    static Contender ofSiteLoop() throws IOException {
        return new Contender(
                "bare-loop",
                "a loop that sends the same requests, with the same options",
                deployedOptions(),
                List.of("-cp", System.getProperty("java.class.path"), SiteLoop.class.getName(), WORKERS));
    }

    private static Contender archived(
            String name, String about, Path jar, List<String> options, List<String> program, Cluster cluster)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("-jar", jar.toString()));
        command.addAll(program);
        command.addAll(List.of(
                "--max-concurrent-reconciles=" + WORKERS,
                "--no-lease",
                "--webhook-certs=none",
                "--health-probe-bind-address=0",
                "--log-format=json"));
        Contender plain =
                new Contender(name, about + ", and an archive of its classes as in the image", options, command);
        Path folder = Files.createTempDirectory("busbar-bench");
        Path classes = folder.resolve("classes.list");
        Path archive = folder.resolve("classes.jsa");
        try (OperatorProcess rehearsal = OperatorProcess.start(
                plain.with(List.of("-XX:DumpLoadedClassList=" + classes)), 1, cluster.kubeconfig())) {
            TimeUnit.SECONDS.sleep(REHEARSAL_SECONDS);
            rehearsal.requireAlive();
        }
        Files.write(classes, new TreeSet<>(Files.readAllLines(classes))); // unsorted, some JVMs do not survive it
        Path log = folder.resolve("dump.log");
        int exit = new ProcessBuilder(
                        OperatorProcess.JAVA,
                        "-Xshare:dump",
                        "-Xint",
                        "-XX:+UseSerialGC",
                        "-XX:SharedClassListFile=" + classes,
                        "-XX:SharedArchiveFile=" + archive,
                        "-cp",
                        jar.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        if (exit != 0 || !Files.exists(archive)) {
            throw new IllegalStateException("no archive of classes was written: see " + log);
        }
        return plain.with(List.of("-XX:SharedArchiveFile=" + archive));
    }

    private static List<String> deployedOptions() throws IOException {
        String value = "value: -XX:";
        return Files.readAllLines(DEPLOYMENT).stream()
                .map(String::strip)
                .filter(line -> line.startsWith(value))
                .map(line -> List.of(line.substring("value: ".length()).split(" ")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(DEPLOYMENT + " has no options of the JVM"));
    }

    /** With further options of the JVM. */
    Contender with(List<String> further) {
        List<String> more = new ArrayList<>(options);
        more.addAll(further);
        return new Contender(name, about, more, program);
    }

    /** @param workers how many reconciles may run at once */
    List<String> command(int workers) {
        List<String> command = new ArrayList<>(List.of(OperatorProcess.JAVA));
        command.addAll(options);
        program.forEach(part -> command.add(part.replace(WORKERS, "" + workers)));
        return command;
    }
}

package io.busbar.bench;

import io.busbar.bench.josdk.PodSetOperator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program that serves PodSets.
 *
 * @param about what it is, for people
 */
record Contender(String name, String about, List<String> options, List<String> program) {

    private static final String WORKERS = "{workers}";

    private static final List<String> NO_BORINGSSL = List.of("-Dio.netty.handler.ssl.noOpenSsl=true");

    private static final long REHEARSAL_SECONDS = 8;

    /** Where the Deployment's options of the JVM stand. */
    private static final Path DEPLOYMENT = Path.of("manifests/config/manager/manager.yaml");

    /** What a run may name. */
    static final List<String> NAMES = List.of("busbar", "busbar-c1", "josdk");

    /** @param name one of {@link #NAMES} */
    static Contender of(String name, Path jar, Cluster cluster) throws IOException, InterruptedException {
        return switch (name) {
            case "busbar" ->
                busbar(name, "this operator with the options that its Deployment has", jar, deployedOptions(), cluster);
            case "busbar-c1" ->
                busbar(name, "the same with the plain compiler alone", jar, withPlainCompiler(), cluster);
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

    private static List<String> withPlainCompiler() throws IOException {
        return Stream.concat(
                        Stream.of("-XX:TieredStopAtLevel=1", "-XX:CICompilerCount=1"),
                        deployedOptions().stream().filter(option -> !option.matches("-XX:([-+]C1Profile|Tier4).*")))
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
                        "--webhook-certs=none",
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
                        "--webhook-certs=none",
                        "--metrics-bind-address=127.0.0.1:" + port,
                        "--metrics-secure=false"),
                cluster);
    }

    /**
     * The operator for SidecarSets with several sets of options of its JVM.
     *
     * @param port of its webhooks, on this machine
     */
    static List<Contender> ofWebhooks(Path jar, Cluster cluster, int port) throws IOException, InterruptedException {
        List<String> program = List.of(
                "run",
                "--operators=sidecarset",
                "--metrics-bind-address=0",
                "--webhook-certs=self-signed",
                "--webhook-bind-address=127.0.0.1",
                "--webhook-port=" + port,
                "--webhook-url=https://127.0.0.1:" + port);
        Contender deployed =
                archived("busbar", "the operator as its Deployment runs it", jar, deployedOptions(), program, cluster);
        Contender plainCompiler = archived(
                "busbar-c1", "the same with the plain compiler alone", jar, withPlainCompiler(), program, cluster);
        return List.of(
                deployed,
                deployed.with("busbar-jdk", "the same with TLS by the JDK", NO_BORINGSSL),
                plainCompiler,
                plainCompiler.with("busbar-c1-jdk", "with the plain compiler alone, and TLS by the JDK", NO_BORINGSSL));
    }

    /**
     * @param port on this machine
     */
    static Contender ofEcho(String name, int port) {
        return new Contender(
                name,
                "a bare server on Vert.x that sends back what it gets, no options",
                List.of(),
                List.of("-cp", System.getProperty("java.class.path"), EchoServer.class.getName(), "" + port));
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
        return with(name, about, further);
    }

    private Contender with(String otherName, String aboutIt, List<String> further) {
        List<String> more = new ArrayList<>(options);
        more.addAll(further);
        return new Contender(otherName, aboutIt, more, program);
    }

    /** @param workers how many reconciles may run at once */
    List<String> command(int workers) {
        List<String> command = new ArrayList<>(List.of(OperatorProcess.JAVA));
        command.addAll(options);
        program.forEach(part -> command.add(part.replace(WORKERS, "" + workers)));
        return command;
    }
}

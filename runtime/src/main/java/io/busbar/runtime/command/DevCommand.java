package io.busbar.runtime.command;

import io.busbar.common.ResourceType;
import io.busbar.common.internal.command.LogFlags;
import io.busbar.common.internal.process.Foreground;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.flags.FlagValues;
import io.busbar.runtime.options.BindAddress;
import io.busbar.runtime.options.LiveOptions;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.command.SandboxFlags;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.event.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** {@code dev}. */
@Command(
        name = "dev",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description = "Runs a simulated Kubernetes API server and the operator against it, until SIGINT or SIGTERM.")
final class DevCommand implements Callable<Integer>, RunsBundles {

    private static final String PLAY = "--demo";

    private final OperatorDefinition definition;
    private final Optional<Demo> demo;

    @Mixin
    private SandboxFlags simulated;

    @Mixin
    private LogFlags log;

    private CommandSpec spec = CommandSpec.create();

    DevCommand(OperatorDefinition definition, Optional<Demo> demo) {
        this.definition = definition;
        this.demo = demo;
    }

    @Spec
    void spec(CommandSpec known) {
        spec = known;
        if (demo.isPresent()) {
            spec.addOption(OptionSpec.builder(PLAY)
                    .type(boolean.class)
                    .description("Also plays a user, and tells what happens.")
                    .build());
        }
    }

    @Override
    public Integer call() throws Exception {
        log.apply(plays() ? Level.WARN : Level.INFO, definition.packages());
        Foreground.run(this::start);
        return 0;
    }

    /** The operator and the user that is played connect through the kubeconfig that the user gets. */
    private void start(Consumer<AutoCloseable> atStop) throws Exception {
        Sandbox sandbox = simulated.start(options -> options, atStop);
        KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(simulated.kubeconfig().toFile()))
                .build();
        atStop.accept(client);
        Installation.install(client, definition);
        LiveAddresses addresses = new LiveAddresses();
        StandaloneOperator operator = new StandaloneOperator(
                definition,
                client.getConfiguration(),
                OperatorOptions.besideCluster(definition.name()).toBuilder()
                        .live(new LiveOptions(BindAddress.loopback(), Optional.of(addresses)))
                        .flags(FlagValues.of(spec))
                        .build());
        atStop.accept(operator::stop);
        // At the stop they come first, as they ask the operator's webhooks.
        atStop.accept(sandbox::stopControllers);
        operator.start();
        welcome(sandbox, operator, addresses);
        if (plays()) {
            demo.orElseThrow().play(client, out());
            out().println();
        }
        out().println("Ctrl-C ends it.");
    }

    private void welcome(Sandbox sandbox, StandaloneOperator operator, LiveAddresses addresses)
            throws InterruptedException {
        out().println("A simulated Kubernetes and the operator run at " + sandbox.url() + ". In another terminal:");
        out().println();
        out().println("  export KUBECONFIG=" + simulated.kubeconfig());
        out().println("  kubectl get " + kinds());
        out().println("  curl localhost:" + operator.managementPorts().get(0) + "/metrics");
        out().println();
        addresses.print();
        out().println();
    }

    /** Of the live page, each for one session: the first is printed with the rest, the next ones when they are made. */
    private final class LiveAddresses implements Consumer<String> {

        private final CountDownLatch known = new CountDownLatch(1);
        private String last = "";
        private boolean printed;

        @Override
        public synchronized void accept(String address) {
            last = address;
            known.countDown();
            if (printed) {
                out().println("That address is used; for another browser or terminal: " + address);
            }
        }

        void print() throws InterruptedException {
            known.await();
            synchronized (this) {
                printed = true;
                out().println("What the operator does, in a browser: " + last);
            }
        }
    }

    /** Of all bundles, as kubectl takes them. */
    private String kinds() {
        return definition.declaration().parts().stream()
                .flatMap(part -> part.kinds().stream())
                .map(ResourceType::plural)
                .distinct()
                .collect(Collectors.joining(","));
    }

    private boolean plays() {
        OptionSpec play = spec.findOption(PLAY);
        return play != null && Boolean.TRUE.equals(play.getValue());
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}

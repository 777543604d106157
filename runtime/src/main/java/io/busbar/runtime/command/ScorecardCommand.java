package io.busbar.runtime.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.common.internal.command.LogFlags;
import io.busbar.manifests.scorecard.BundleFolder;
import io.busbar.manifests.scorecard.Scorecard;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.flags.GoDuration;
import io.busbar.runtime.flags.KubernetesFlags;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.scorecard.LiveSamples;
import io.busbar.runtime.scorecard.LiveSamples.Setting;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.select.SelectorException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code scorecard}. For the main thread, which it blocks. */
@Command(
        name = "scorecard",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description =
                "Runs the tests of operator-sdk's scorecard that need no image on a bundle for OLM, the folder DIR, of this operator or any other,"
                        + " and tries its samples on a cluster. Exit code 1 if a test has not passed.")
final class ScorecardCommand implements Callable<Integer> {

    private static final String NO_CLUSTER = "it needs a cluster: --sandbox, or --cluster for that of KUBECONFIG";

    private final OperatorDefinition definition;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private @Nullable LiveSamples samples;

    @Parameters(paramLabel = "DIR", description = "The bundle: a folder with manifests and metadata in it.")
    private Path folder = Path.of("");

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description =
                    "One of ${COMPLETION-CANDIDATES}; json is operator-sdk's TestList. Default: ${DEFAULT-VALUE}.")
    private Format output = Format.TEXT;

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "LABELS",
            defaultValue = "",
            description = "Which tests, such as suite=olm or 'suite=live,kind notin (Shop)'. Default: all.")
    private String selector = "";

    @Option(
            names = {"-L", "--list"},
            description = "Lists the tests, and runs none.")
    private boolean list;

    @Option(
            names = "--sandbox",
            description = "Tries the samples on a simulated Kubernetes, with this operator if the bundle is its own.")
    private boolean sandbox;

    @Option(
            names = "--cluster",
            description =
                    "Tries the samples on the cluster of the kubeconfig, where the operator runs already, in a namespace of"
                            + " their own, and deletes them.")
    private boolean cluster;

    @Mixin
    private KubernetesFlags kubernetes;

    @Option(
            names = {"-w", "--wait-time"},
            paramLabel = "DURATION",
            defaultValue = "30s",
            converter = GoDuration.class,
            description = "How long samples may take to become ready. Default: ${DEFAULT-VALUE}.")
    private Duration patience = Duration.ZERO;

    @Mixin
    private LogFlags log;

    @Spec
    private CommandSpec spec;

    ScorecardCommand(OperatorDefinition definition) {
        this.definition = definition;
    }

    /** Of what is printed. */
    enum Format {
        TEXT,
        JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    public Integer call() throws Exception {
        log.apply(Level.ERROR, definition.packages());
        refuseWhatIsWrong();
        BundleFolder bundle = BundleFolder.read(folder);
        Scorecard scorecard =
                new Scorecard(definition.image(), List.of(definition.name(), "scorecard", folder.toString()));
        scorecard.add(bundle);
        LiveSamples.addTo(scorecard, bundle, sandbox || cluster, live(bundle));
        LabelSelector selected = LabelSelector.parse(selector);
        ObjectMapper json = new ObjectMapper();
        scorecard.select(labels -> selected.matches(json.valueToTree(labels)));
        try {
            if (!list) {
                scorecard.run();
            }
        } finally {
            close();
        }
        spec.commandLine().getOut().print(output == Format.JSON ? scorecard.json() : scorecard.text());
        spec.commandLine().getOut().flush();
        return scorecard.passed() ? 0 : 1;
    }

    private void refuseWhatIsWrong() {
        if (!Files.isDirectory(folder)) {
            throw refused("DIR", folder.toString(), "a folder that is there, with manifests and metadata in it");
        }
        if (sandbox && cluster) {
            throw refused("--cluster", "--sandbox --cluster", "one of both");
        }
        try {
            LabelSelector.parse(selector);
        } catch (SelectorException none) {
            throw refused("--selector", selector, "a label selector, such as suite=olm (" + none.getMessage() + ")");
        }
    }

    private static InvalidConfigurationException refused(String flag, String value, String allowed) {
        return new InvalidConfigurationException(List.of(new ConfigurationProblem(flag, value, allowed)));
    }

    private LiveSamples.Trial live(BundleFolder bundle) {
        return sample -> {
            if (!sandbox && !cluster) {
                return LiveSamples.notRun(NO_CLUSTER);
            }
            if (samples == null) {
                samples = sandbox ? onSandbox(bundle) : onCluster(bundle);
            }
            return samples.results(sample);
        };
    }

    private LiveSamples onSandbox(BundleFolder bundle) throws Exception {
        Sandbox simulated = opened(Sandbox.start());
        KubernetesClient client = client(Config.fromKubeconfig(simulated.kubeconfig()));
        boolean own = isOwn(bundle);
        if (own) {
            Installation.install(client, definition);
            StandaloneOperator operator = new StandaloneOperator(
                    definition, client.getConfiguration(), OperatorOptions.besideCluster(definition.name()));
            open.push(operator::stop);
            operator.start();
        }
        Optional<String> missing = own
                ? Optional.empty()
                : Optional.of("the operator of this bundle does not run: a sandbox runs no container, and "
                        + definition.name() + " is another operator");
        return opened(new LiveSamples(client, bundle, new Setting(true, !own, missing), patience));
    }

    private LiveSamples onCluster(BundleFolder bundle) {
        KubernetesClient client = opened(kubernetes.client());
        try {
            return opened(
                    new LiveSamples(client, bundle, new Setting(false, false, missing(client, bundle)), patience));
        } catch (KubernetesClientException failure) {
            throw new IllegalStateException(
                    "API server " + client.getMasterUrl() + ": " + ApiFailure.reason(failure), failure);
        }
    }

    /** An operator that was started by other means than OLM's has its Deployments by the same names. */
    private static Optional<String> missing(KubernetesClient client, BundleFolder bundle) {
        List<String> wanted = bundle.deployments();
        boolean runs = client.apps().deployments().inAnyNamespace().list().getItems().stream()
                .filter(deployment -> wanted.contains(deployment.getMetadata().getName()))
                .anyMatch(deployment -> deployment.getStatus() != null
                        && deployment.getStatus().getAvailableReplicas() != null
                        && deployment.getStatus().getAvailableReplicas() > 0);
        return runs
                ? Optional.empty()
                : Optional.of("the operator of this bundle does not run in the cluster: no Deployment "
                        + String.join(", ", wanted) + " has a Pod that is available");
    }

    /** Whether it brings kinds, all of which this operator has. */
    private boolean isOwn(BundleFolder bundle) {
        Set<String> own = definition.crds().stream()
                .map(crd -> crd.getMetadata().getName())
                .collect(Collectors.toSet());
        List<String> brought = bundle.definitions().stream()
                .map(crd -> crd.at("/metadata/name").asText())
                .toList();
        return !brought.isEmpty() && own.containsAll(brought);
    }

    private KubernetesClient client(Config config) {
        return opened(new KubernetesClientBuilder().withConfig(config).build());
    }

    private <C extends AutoCloseable> C opened(C resource) {
        open.push(resource);
        return resource;
    }

    private void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }
}

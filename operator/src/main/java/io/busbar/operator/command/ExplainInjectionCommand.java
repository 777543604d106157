package io.busbar.operator.command;

import io.busbar.common.api.ApiFailure;
import io.busbar.operator.explain.InjectionReport;
import io.busbar.operator.explain.KnownObjects;
import io.busbar.operator.explain.PodFile;
import io.busbar.runtime.flags.KubernetesFlags;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code busbar explain-injection}. */
@Command(
        name = "explain-injection",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description =
                "Tells for each SidecarSet whether it would be injected into a Pod, and why not, and how the Pod would"
                        + " change. Changes nothing.")
public final class ExplainInjectionCommand implements Callable<Integer> {

    @Option(
            names = {"-f", "--filename"},
            required = true,
            paramLabel = "FILE",
            description = "A Pod, or a workload with a template of one; - for the standard input.")
    private Path filename = Path.of("");

    @Option(
            names = {"-n", "--pod-namespace"},
            paramLabel = "NAME",
            description = "Where the Pod is to be created. Default: what the file says, else default.")
    private @Nullable String podNamespace;

    @Option(
            names = "--sets",
            split = ",",
            paramLabel = "FILE",
            description = "SidecarSets, Namespaces and ControllerRevisions, in place of those of a cluster.")
    private List<Path> sets = List.of();

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = "busbar-system",
            description = "The operator's own namespace. Default: ${DEFAULT-VALUE}.")
    private String namespace = "";

    @Option(
            names = "--protected-namespaces",
            split = ",",
            defaultValue = "kube-system,kube-public",
            paramLabel = "NAME",
            description = "Namespaces whose Pods get no sidecars. Default: ${DEFAULT-VALUE}.")
    private Set<String> protectedNamespaces = Set.of();

    @Mixin
    private KubernetesFlags kubernetes;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PodFile file = PodFile.read(filename, System.in);
        String target = podNamespace != null ? podNamespace : file.namespace().orElse("default");
        Set<String> excluded = new HashSet<>(protectedNamespaces);
        excluded.add(namespace);
        PrintWriter out = spec.commandLine().getOut();
        InjectionReport.of(file.pod(), known(target), excluded, Clock.systemUTC())
                .forEach(out::println);
        return 0;
    }

    private KnownObjects known(String target) {
        if (!sets.isEmpty()) {
            return KnownObjects.in(sets, System.in, target);
        }
        try (KubernetesClient client = kubernetes.client()) {
            return known(target, client);
        }
    }

    private KnownObjects known(String target, KubernetesClient client) {
        try {
            return KnownObjects.in(client, target, namespace);
        } catch (KubernetesClientException failure) {
            throw new IllegalStateException(
                    "API server " + client.getMasterUrl() + ": " + ApiFailure.reason(failure), failure);
        }
    }
}

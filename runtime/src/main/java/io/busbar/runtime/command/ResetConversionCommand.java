package io.busbar.runtime.command;

import io.busbar.admission.conversion.Conversions;
import io.busbar.admission.conversion.Versions;
import io.busbar.admission.registration.ConversionRegistrar;
import io.busbar.common.ObjectKey;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.flags.InstallationFlags;
import io.busbar.runtime.flags.KubernetesFlags;
import io.fabric8.kubernetes.api.model.apiextensions.v1.WebhookClientConfig;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code reset-conversion}. */
@Command(
        name = "reset-conversion",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description =
                "Makes objects readable without the operator, for the time after it: definitions that are converted by this"
                        + " installation's webhook are converted no more, and serve the version alone that is stored."
                        + " An operator that starts sets that back.")
final class ResetConversionCommand implements Callable<Integer> {

    private final OperatorDefinition operator;

    @Mixin
    private InstallationFlags installation;

    @Mixin
    private KubernetesFlags kubernetes;

    @Spec
    private CommandSpec spec;

    ResetConversionCommand(OperatorDefinition operator) {
        this.operator = operator;
    }

    @Override
    public Integer call() {
        List<ConfigurationProblem> problems = installation.problems();
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
        String namespace = installation.namespace(operator.name(), KubernetesFlags.inClusterNamespace());
        WebhookClientConfig webhook = installation
                .webhookUrl()
                .map(ConversionRegistrar::byUrl)
                .orElseGet(() -> ConversionRegistrar.byService(ObjectKey.of(namespace, installation.webhookService())));
        try (KubernetesClient client = kubernetes.client()) {
            new ConversionRegistrar(client, conversions(), webhook)
                    .unregister()
                    .forEach(outcome ->
                            spec.commandLine().getOut().println(outcome.definition() + ": " + outcome.text()));
        }
        return 0;
    }

    private Conversions conversions() {
        return Conversions.of(operator.bundles().stream()
                .filter(bundle -> installation.operators().isEmpty()
                        || installation.operators().contains(bundle.name()))
                .<Versions<?>>flatMap(bundle -> bundle.conversions().stream())
                .toList());
    }
}

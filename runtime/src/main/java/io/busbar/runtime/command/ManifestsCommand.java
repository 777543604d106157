package io.busbar.runtime.command;

import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.manifests.About;
import io.busbar.runtime.bundle.OperatorDefinition;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code manifests}. */
@Command(
        name = "manifests",
        mixinStandardHelpOptions = true,
        description =
                "Writes what installs the operator, for kustomize, kubectl, Helm and OLM, in kubebuilder's layout.")
final class ManifestsCommand implements Callable<Integer> {

    private final OperatorDefinition operator;

    @Option(
            names = "--output",
            paramLabel = "FOLDER",
            defaultValue = "manifests",
            description = "Where to write, over what is there. Default: ${DEFAULT-VALUE}.")
    private Path output = Path.of("");

    @Option(
            names = "--image",
            paramLabel = "NAME:TAG",
            description =
                    "The image of the operator, such as registry.example.com/shop:1.0. Default: as it is declared.")
    private @Nullable String image;

    @Option(
            names = "--replaces",
            paramLabel = "VERSION",
            description = "The version that was released before, which OLM's bundle is an upgrade of, such as 1.0.3."
                    + " Default: as it is declared.")
    private @Nullable String replaces;

    @Spec
    private CommandSpec spec;

    ManifestsCommand(OperatorDefinition operator) {
        this.operator = operator;
    }

    @Override
    public Integer call() throws Exception {
        chosen().manifests().writeTo(output);
        spec.commandLine().getOut().println(output);
        return 0;
    }

    private OperatorDefinition chosen() {
        About about = replaces == null ? operator.about() : replacing(replaces);
        String chosen = image == null ? operator.image() : image;
        try {
            return new OperatorDefinition(operator.name(), chosen, operator.command(), about, operator.bundles());
        } catch (IllegalArgumentException none) {
            throw refused("--image", chosen, "a name with a tag, such as registry.example.com/shop:1.0");
        }
    }

    private About replacing(String version) {
        try {
            return operator.about().with(operator.about().catalog().replacing(version));
        } catch (IllegalArgumentException none) {
            throw refused("--replaces", version, "MAJOR.MINOR.PATCH[-PRERELEASE]");
        }
    }

    private static InvalidConfigurationException refused(String flag, String value, String allowed) {
        return new InvalidConfigurationException(List.of(new ConfigurationProblem(flag, value, allowed)));
    }
}

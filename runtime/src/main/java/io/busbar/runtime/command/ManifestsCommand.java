package io.busbar.runtime.command;

import io.busbar.runtime.bundle.OperatorDefinition;
import java.nio.file.Path;
import java.util.concurrent.Callable;
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

    @Spec
    private CommandSpec spec;

    ManifestsCommand(OperatorDefinition operator) {
        this.operator = operator;
    }

    @Override
    public Integer call() throws Exception {
        operator.manifests().writeTo(output);
        spec.commandLine().getOut().println(output);
        return 0;
    }
}

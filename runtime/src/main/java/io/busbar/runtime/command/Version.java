package io.busbar.runtime.command;

import io.busbar.runtime.bundle.OperatorDefinition;
import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/**
 * What {@code version} prints: the version in the manifest of the jar that has the first bundle, {@code dev} when it
 * runs from class files, and that of Java. Immutable.
 */
final class Version implements IVersionProvider {

    private final OperatorDefinition operator;

    Version(OperatorDefinition operator) {
        this.operator = operator;
    }

    @Override
    public String[] getVersion() {
        Package packaged = operator.bundles().get(0).getClass().getPackage();
        return new String[] {
            operator.name() + " "
                    + Optional.ofNullable(packaged.getImplementationVersion()).orElse("dev"),
            "java " + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")"
        };
    }
}

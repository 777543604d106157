package io.busbar.runtime.command;

import io.busbar.runtime.bundle.OperatorDefinition;
import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/**
 * What {@code version} prints: the operator's version, if it is known, else the one in the manifest of the jar that
 * has the first bundle, {@code dev} when it runs from class files, and that of Java. Immutable.
 */
final class Version implements IVersionProvider {

    private final OperatorDefinition operator;
    private final Optional<String> known;

    Version(OperatorDefinition operator, Optional<String> known) {
        this.operator = operator;
        this.known = known;
    }

    @Override
    public String[] getVersion() {
        Package packaged = operator.bundles().get(0).getClass().getPackage();
        return new String[] {
            operator.name() + " "
                    + known.or(() -> Optional.ofNullable(packaged.getImplementationVersion()))
                            .orElse("dev"),
            "java " + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")"
        };
    }
}

package io.busbar.blueprint.packed;

import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.runtime.BusbarOperator;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.process.VirtualMachine;

/** The program of a packed jar: the operator that it is packed with. For the main thread. */
public final class Main {

    private static final int FAILED = 1;

    private Main() {}

    public static void main(String[] args) {
        VirtualMachine.settle();
        OperatorDefinition operator;
        try {
            operator = PackedOperator.of(Main.class.getClassLoader()).definition();
        } catch (InvalidConfigurationException invalid) { // such as packed with another version of the toolkit
            invalid.problems().forEach(System.err::println);
            System.exit(FAILED);
            return;
        }
        BusbarOperator.of(operator).withVersion(operator.about().version()).run(args);
    }
}

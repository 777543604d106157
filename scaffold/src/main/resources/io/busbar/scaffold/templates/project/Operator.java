package @{repo};

import io.busbar.runtime.BusbarOperator;

/** The program: {@code run}, {@code dev}, {@code manifests} and more, told by {@code --help}. */
public final class @{Name}Operator {

    private @{Name}Operator() {}

    public static void main(String[] args) {
        BusbarOperator.run(args, new @{Name}Bundle());
    }
}

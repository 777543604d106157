package io.busbar.charts;

import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.runtime.BusbarOperator;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.process.VirtualMachine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The program: {@code [--watches-file FILE] [run|dev|manifests|…] FLAGS}. For the main thread. */
public final class Main {

    private static final String FLAG = "--watches-file";
    private static final int WRONG_USAGE = 2;

    private Main() {}

    public static void main(String[] args) {
        VirtualMachine.settle();
        List<String> words = new ArrayList<>(Arrays.asList(args));
        OperatorDefinition operator;
        try {
            operator = ChartOperator.of(Path.of(watchesFile(words)), System.getenv());
        } catch (InvalidConfigurationException invalid) {
            invalid.problems().forEach(problem -> System.err.println(ChartOperator.NAME + ": " + problem));
            System.exit(WRONG_USAGE);
            return;
        }
        BusbarOperator.of(operator).run(words.toArray(String[]::new));
    }

    /** Takes the flag out of the words, wherever it stands: the commands are made of what the file says. */
    static String watchesFile(List<String> words) {
        for (int at = 0; at < words.size(); at++) {
            String word = words.get(at);
            if (word.startsWith(FLAG + "=")) {
                words.remove(at);
                return word.substring(FLAG.length() + 1);
            }
            if (word.equals(FLAG) && at + 1 < words.size()) {
                words.remove(at);
                return words.remove(at);
            }
        }
        return "watches.yaml";
    }
}

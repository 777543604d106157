package io.busbar.charts;

import io.busbar.charts.run.ChartBundle;
import io.busbar.charts.watches.Watch;
import io.busbar.charts.watches.WatchesFile;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.manifests.About;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.OperatorDefinition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The operator that a file {@code watches.yaml} describes. Any thread. */
public final class ChartOperator {

    /** Of the operator, and of its command. */
    public static final String NAME = "chart-operator";

    private static final About ABOUT = new About(
            "0.1.0",
            "Chart operator",
            "Helm charts as kinds, as ./watches.yaml says, or another file: --watches-file=FILE before the command.",
            "Reconciles instances of kinds that are made of Helm charts: the spec has the values.",
            "Busbar",
            Optional.empty(),
            List.of("helm", "chart", "vertx"));

    private ChartOperator() {}

    /**
     * Reads the file and its charts. Blocks.
     *
     * @param variables of the environment
     * @throws InvalidConfigurationException with all that is wrong with the file
     */
    public static OperatorDefinition of(Path file, Map<String, String> variables) {
        List<Watch> watches = WatchesFile.read(file, variables);
        List<Bundle> bundles = new ArrayList<>();
        List<ConfigurationProblem> problems = new ArrayList<>();
        for (Watch watch : watches) {
            try {
                bundles.add(new ChartBundle(name(watch, watches), watch));
            } catch (IOException unreadable) {
                problems.add(new ConfigurationProblem(
                        file + ": chart of " + watch.kind(),
                        String.valueOf(unreadable.getMessage()),
                        "a chart that can be read"));
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
        return new OperatorDefinition(NAME, NAME + ":latest", ABOUT, bundles);
    }

    /** The plural, where that is enough. */
    private static String name(Watch watch, List<Watch> all) {
        boolean alone = all.stream()
                        .filter(other -> other.plural().equals(watch.plural()))
                        .count()
                == 1;
        return alone ? watch.plural() : watch.name().replace('.', '-');
    }
}

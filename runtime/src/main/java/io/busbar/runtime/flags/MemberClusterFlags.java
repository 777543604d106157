package io.busbar.runtime.flags;

import io.busbar.common.api.ApiFailure;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** In which other clusters to work than the operator's own. For one thread. */
public final class MemberClusterFlags {

    private static final String NAME = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";

    @Option(
            names = "--clusters",
            split = ",",
            paramLabel = "NAME=FILE",
            description =
                    "Other clusters to work in, for bundles that do: a name, and a kubeconfig whose current context"
                            + " is used. Leaders are elected in the operator's own cluster alone. Default: none.")
    private Map<String, Path> clusters = Map.of();

    /**
     * Of a client for each, by its name.
     *
     * @throws InvalidConfigurationException when a name is none, or a kubeconfig can't be read or names no cluster
     */
    public Map<String, Config> configs() {
        Map<String, Config> configs = new TreeMap<>();
        List<ConfigurationProblem> problems = new ArrayList<>();
        clusters.forEach((name, file) -> {
            if (name.matches(NAME)) {
                try {
                    Config config = Config.fromKubeconfig(file.toFile());
                    config.setRequestRetryBackoffLimit(0); // the engine decides what is tried again, and when
                    configs.put(name, config);
                } catch (RuntimeException unreadable) { // of many kinds, those of the YAML parser among them
                    String why = ApiFailure.reason(unreadable).strip().replaceAll("\\s+", " ");
                    problems.add(problem(name + "=" + file, "a readable kubeconfig (" + why + ")"));
                }
            } else {
                problems.add(problem(
                        name,
                        "names of 1 to 63 lower-case letters, digits and '-', a letter or a digit first and last"));
            }
        });
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
        return configs;
    }

    private static ConfigurationProblem problem(String value, String allowed) {
        return new ConfigurationProblem("clusters", value, allowed);
    }
}

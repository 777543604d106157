package io.busbar.common.configuration;

import java.util.List;
import java.util.stream.Collectors;

/** All that is wrong with a configuration; its message has a line for each problem. */
public final class InvalidConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<ConfigurationProblem> problems;

    /**
     * @throws IllegalArgumentException when there are none
     */
    public InvalidConfigurationException(List<ConfigurationProblem> problems) {
        super(problems.stream().map(ConfigurationProblem::toString).collect(Collectors.joining("\n")));
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("no problem in the configuration");
        }
        this.problems = List.copyOf(problems);
    }

    public List<ConfigurationProblem> problems() {
        return problems;
    }
}

package io.busbar.operator.documentation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads command lines of Maven: phases, goals of our plugin and their parameters, as the plugin's own descriptor has
 * them, profiles, modules and properties, as poms and sources have them. Runs none. Immutable.
 */
final class MavenCommands {

    private static final Set<String> PHASES =
            Set.of("clean", "compile", "test", "test-compile", "package", "verify", "install", "deploy");
    private static final Set<String> MAVENS_OWN = Set.of("maven.repo.local", "skipTests", "test", "it.test");
    private static final Set<String> PLAIN = Set.of("-q", "-B", "-o", "-ntp", "-am", "-U", "-e", "-N");
    private static final Pattern GOAL =
            Pattern.compile("(?:busbar|io\\.busbar:busbar-maven-plugin(?::[^:]+)?):([a-z-]+)");
    private static final Pattern MOJO = Pattern.compile("<mojo>.*?<goal>([a-z-]+)</goal>(.*?)</mojo>", Pattern.DOTALL);
    private static final Pattern PARAMETER = Pattern.compile(">\\$\\{([\\w.-]+)}<");

    /** The parameters of each goal. */
    private final Map<String, Set<String>> goals = new HashMap<>();

    private final String poms;

    MavenCommands() {
        String descriptor = resource("/META-INF/maven/plugin.xml");
        MOJO.matcher(descriptor).results().forEach(mojo -> {
            Set<String> parameters = new TreeSet<>();
            PARAMETER.matcher(mojo.group(2)).results().forEach(parameter -> parameters.add(parameter.group(1)));
            goals.put(mojo.group(1), parameters);
        });
        poms = poms();
    }

    Set<String> goals() {
        return goals.keySet();
    }

    /** What is wrong with the arguments of {@code mvn}; empty where nothing is. */
    Optional<String> problem(List<String> arguments) {
        Set<String> parameters = new HashSet<>(MAVENS_OWN);
        for (String argument : arguments) {
            Matcher goal = GOAL.matcher(argument);
            if (goal.matches()) {
                parameters.addAll(goals.getOrDefault(goal.group(1), Set.of()));
            }
        }
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("-pl") && i + 1 < arguments.size()) {
                i++;
                Optional<String> module = Stream.of(arguments.get(i).split(","))
                        .filter(name -> !poms.contains("<module>" + name + "</module>"))
                        .findFirst();
                if (module.isPresent()) {
                    return Optional.of("-pl " + module.get() + "; allowed: modules of pom.xml");
                }
                continue;
            }
            Optional<String> problem = problem(argument, parameters);
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private Optional<String> problem(String argument, Set<String> parameters) {
        Matcher goal = GOAL.matcher(argument);
        if (goal.matches()) {
            return goals.containsKey(goal.group(1))
                    ? Optional.empty()
                    : Optional.of(argument + "; allowed: the goals " + new TreeSet<>(goals.keySet()));
        }
        if (argument.startsWith("-D")) {
            String name = argument.substring(2).replaceFirst("=.*", "");
            // A word without a dot means a goal's parameter, and many things in sources.
            boolean known = parameters.contains(name)
                    || (name.contains(".")
                            && (poms.contains("${" + name + "}")
                                    || poms.contains("<" + name + ">")
                                    || Sources.mention("\"" + name + "\"")));
            return known
                    ? Optional.empty()
                    : Optional.of("-D" + name + "; allowed: the goals' parameters " + new TreeSet<>(parameters)
                            + ", properties of a pom, and what a source file names");
        }
        if (argument.startsWith("-P")) {
            return Stream.of(argument.substring(2).split(","))
                    .filter(profile -> !poms.contains("<id>" + profile + "</id>"))
                    .findFirst()
                    .map(profile -> "-P" + profile + "; allowed: profiles of a pom");
        }
        boolean known = PHASES.contains(argument) || PLAIN.contains(argument) || argument.matches("-T\\d+C?");
        return known
                ? Optional.empty()
                : Optional.of("'" + argument + "'; allowed: the phases " + new TreeSet<>(PHASES) + ", the flags "
                        + new TreeSet<>(PLAIN) + ", goals of busbar");
    }

    private static String resource(String name) {
        try (InputStream resource = MavenCommands.class.getResourceAsStream(name)) {
            if (resource == null) {
                throw new IllegalStateException("no " + name + " on the class path: is busbar-maven-plugin built?");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Those of the repository, and that of a project that is made. */
    private static String poms() {
        StringBuilder all = new StringBuilder();
        try {
            Stream<Path> others = Stream.of(Page.ROOT, Page.ROOT.resolve("docs/examples/webpage"));
            for (Path folder : Stream.concat(others, Page.modules()).toList()) {
                all.append(Files.readString(folder.resolve("pom.xml")));
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return all.toString();
    }
}

package io.busbar.scaffold.project;

import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.scaffold.project.ProjectResource.Api;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What must hold between the kinds of a project, each of which is right in itself.
 *
 * <p>Pure; any thread.
 */
public final class ProjectRules {

    private ProjectRules() {}

    static List<ConfigurationProblem> problems(Project project) {
        List<ConfigurationProblem> problems = new ArrayList<>();
        List<ProjectResource> resources = project.resources();
        for (int i = 0; i < resources.size(); i++) {
            String key = ProjectFile.NAME + ": resources[" + i + "].";
            ProjectResource resource = resources.get(i);
            for (ProjectResource earlier : resources.subList(0, i)) {
                clash(key, resource, earlier).ifPresent(problems::add);
            }
            if (!resource.path().contains(".")) {
                problems.add(new ConfigurationProblem(
                        key + "path",
                        resource.path(),
                        "a package within that of the kind, such as com.example.crate.v1"));
            }
            if (resource.api() == Api.NONE) {
                problems.add(new ConfigurationProblem(key + "api", "", "crdVersion: v1, of a kind with types here"));
            }
            spokes(project, resource, key + "webhooks.", problems);
        }
        Set<String> groups =
                resources.stream().map(ProjectResource::qualifiedGroup).collect(Collectors.toCollection(TreeSet::new));
        if (groups.size() > 1 && !project.multigroup()) {
            problems.add(new ConfigurationProblem(
                    ProjectFile.NAME + ": resources",
                    "groups " + String.join(", ", groups),
                    "one group, or multigroup: true"));
        }
        return problems;
    }

    /** What of a version of a kind does not go with an earlier one. */
    public static Optional<ConfigurationProblem> clash(String key, ProjectResource resource, ProjectResource earlier) {
        if (resource.isSame(earlier)) {
            return Optional.of(
                    new ConfigurationProblem(key + "kind", resource.toString(), "each version of a kind once"));
        }
        if (resource.isVersionOf(earlier)) {
            if (!resource.plural().equals(earlier.plural())) {
                return Optional.of(new ConfigurationProblem(
                        key + "plural", resource.plural(), earlier.plural() + ", as " + earlier.version() + " has it"));
            }
            if (resource.api() != earlier.api()) {
                return Optional.of(new ConfigurationProblem(
                        key + "namespaced",
                        String.valueOf(resource.api() == Api.NAMESPACED),
                        (earlier.api() == Api.NAMESPACED) + ", as " + earlier.version() + " has it"));
            }
            if (resource.controller() && earlier.controller()) {
                return Optional.of(new ConfigurationProblem(
                        key + "controller", "true", "false, as there is one of " + earlier.version()));
            }
            if (!resource.kindPackage().equals(earlier.kindPackage())) {
                return Optional.of(new ConfigurationProblem(
                        key + "path", resource.path(), "a package within " + earlier.kindPackage()));
            }
            if (resource.webhooks().conversion() && earlier.webhooks().conversion()) {
                return Optional.of(new ConfigurationProblem(
                        key + "webhooks.conversion", "true", "false, as " + earlier.version() + " is the hub"));
            }
            return Optional.empty();
        }
        if (resource.fullName().equals(earlier.fullName())) {
            return Optional.of(new ConfigurationProblem(
                    key + "plural", resource.plural(), "another one than that of " + earlier.kind()));
        }
        if (resource.kindPackage().equals(earlier.kindPackage())) {
            return Optional.of(new ConfigurationProblem(
                    key + "kind",
                    resource.kind(),
                    "one that does not share the package " + earlier.kindPackage() + " with " + earlier));
        }
        return Optional.empty();
    }

    private static void spokes(Project project, ProjectResource hub, String key, List<ConfigurationProblem> problems) {
        List<String> spokes = hub.webhooks().spokes();
        if (!hub.webhooks().conversion() && !spokes.isEmpty()) {
            problems.add(new ConfigurationProblem(key + "spoke", String.join(", ", spokes), "none without conversion"));
        }
        if (hub.webhooks().conversion() && spokes.isEmpty()) {
            problems.add(new ConfigurationProblem(key + "spoke", "", "one or more of " + others(project, hub)));
        }
        for (String spoke : new TreeSet<>(spokes)) {
            boolean known = !spoke.equals(hub.version())
                    && project.find(hub.group(), spoke, hub.kind()).isPresent();
            if (!known) {
                problems.add(new ConfigurationProblem(key + "spoke", spoke, others(project, hub)));
            }
        }
        if (Set.copyOf(spokes).size() < spokes.size()) {
            problems.add(new ConfigurationProblem(key + "spoke", String.join(", ", spokes), "each version once"));
        }
    }

    /** The versions that can be spokes, in words. */
    public static String others(Project project, ProjectResource hub) {
        String others = project.versionsOf(hub).stream()
                .map(ProjectResource::version)
                .filter(version -> !version.equals(hub.version()))
                .collect(Collectors.joining(", "));
        return others.isEmpty() ? "other versions of " + hub.kind() + ", of which there are none yet" : others;
    }
}

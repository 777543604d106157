package io.busbar.scaffold;

import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.scaffold.project.NameRule;
import io.busbar.scaffold.project.Project;
import io.busbar.scaffold.project.ProjectResource;
import io.busbar.scaffold.project.ProjectRules;
import io.busbar.scaffold.project.Webhooks;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What {@code create webhook} is asked for.
 *
 * <p>Immutable.
 *
 * @param group without the domain
 * @param conversion whether this version becomes the hub of its kind, in which objects are stored
 * @param spokes the versions that are converted from and to it
 * @param force whether files that are there are written over
 */
public record WebhookRequest(
        String group,
        String version,
        String kind,
        boolean defaulting,
        boolean validation,
        boolean conversion,
        List<String> spokes,
        boolean force) {

    public WebhookRequest {
        spokes = List.copyOf(spokes);
    }

    /**
     * The version of a kind as PROJECT is to have it.
     *
     * @throws io.busbar.common.configuration.InvalidConfigurationException with all that is wrong
     */
    ProjectResource resourceIn(Project project, Invocation invocation) {
        List<ConfigurationProblem> problems = new ArrayList<>();
        NameRule.VERSION.problem(invocation.flag("version"), version).ifPresent(problems::add);
        NameRule.KIND.problem(invocation.flag("kind"), kind).ifPresent(problems::add);
        for (String spoke : spokes) {
            NameRule.VERSION.problem(invocation.flag("spoke"), spoke).ifPresent(problems::add);
        }
        if (!defaulting && !validation && !conversion) {
            problems.add(new ConfigurationProblem(
                    "webhooks",
                    "none",
                    String.join(
                            ", ",
                            invocation.flag("defaulting"),
                            invocation.flag("programmatic-validation"),
                            invocation.flag("conversion"))));
        }
        Set<String> distinct = new LinkedHashSet<>(spokes);
        if (distinct.size() < spokes.size()) {
            problems.add(
                    new ConfigurationProblem(invocation.flag("spoke"), String.join(", ", spokes), "each version once"));
        }
        if (!conversion && !spokes.isEmpty()) {
            problems.add(new ConfigurationProblem(
                    invocation.flag("spoke"),
                    String.join(", ", spokes),
                    "none without " + invocation.flag("conversion")));
        }
        ProjectResource there = project.find(group, version, kind).orElse(null);
        if (there == null) {
            problems.add(new ConfigurationProblem(
                    invocation.flag("kind"), kind + " " + group + "/" + version, known(project, invocation)));
        } else {
            existing(there, invocation, problems);
            conversions(there, project, invocation, problems);
        }
        Scaffold.refuse(problems);
        return with(there == null ? Webhooks.none() : there.webhooks(), project);
    }

    private void existing(ProjectResource there, Invocation invocation, List<ConfigurationProblem> problems) {
        Webhooks has = there.webhooks();
        if (force) {
            return;
        }
        if (defaulting && has.defaulting()) {
            problems.add(again(invocation, "defaulting"));
        }
        if (validation && has.validation()) {
            problems.add(again(invocation, "programmatic-validation"));
        }
        for (String spoke : spokes) {
            if (has.spokes().contains(spoke)) {
                problems.add(new ConfigurationProblem(
                        invocation.flag("spoke"),
                        spoke,
                        "one that is none yet; " + invocation.flag("force") + " to write over its files"));
            }
        }
    }

    private static ConfigurationProblem again(Invocation invocation, String flag) {
        return new ConfigurationProblem(
                invocation.flag(flag),
                "true",
                "false, as there is such a webhook; " + invocation.flag("force") + " to write over its files");
    }

    private void conversions(
            ProjectResource there, Project project, Invocation invocation, List<ConfigurationProblem> problems) {
        if (!conversion) {
            return;
        }
        String others = ProjectRules.others(project, there);
        if (spokes.isEmpty()) {
            problems.add(new ConfigurationProblem(invocation.flag("spoke"), "", "one or more of " + others));
        }
        for (String spoke : new LinkedHashSet<>(spokes)) {
            if (spoke.equals(version) || project.find(group, spoke, kind).isEmpty()) {
                problems.add(new ConfigurationProblem(invocation.flag("spoke"), spoke, others));
            }
        }
        project.versionsOf(there).stream()
                .filter(other -> !other.isSame(there) && other.webhooks().conversion())
                .forEach(hub -> problems.add(new ConfigurationProblem(
                        invocation.flag("version"), version, hub.version() + ", which is the hub of " + kind)));
    }

    private String known(Project project, Invocation invocation) {
        String known =
                project.resources().stream().map(ProjectResource::toString).collect(Collectors.joining(", "));
        String create = invocation.command("create api", "group=" + group, "version=" + version, "kind=" + kind);
        return (known.isEmpty() ? "one that PROJECT has" : known) + "; this makes one: " + create;
    }

    private ProjectResource with(Webhooks has, Project project) {
        Set<String> all = new LinkedHashSet<>(has.spokes());
        all.addAll(spokes);
        return project.find(group, version, kind)
                .orElseThrow()
                .with(new Webhooks(
                        has.defaulting() || defaulting,
                        has.validation() || validation,
                        has.conversion() || conversion,
                        List.copyOf(all)));
    }

    /** The same without the webhooks that are asked for. */
    ProjectResource less(ProjectResource resource) {
        Webhooks has = resource.webhooks();
        List<String> left =
                has.spokes().stream().filter(spoke -> !spokes.contains(spoke)).toList();
        return resource.with(
                new Webhooks(has.defaulting() && !defaulting, has.validation() && !validation, !left.isEmpty(), left));
    }
}

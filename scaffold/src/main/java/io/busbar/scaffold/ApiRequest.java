package io.busbar.scaffold;

import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.scaffold.project.NameRule;
import io.busbar.scaffold.project.Project;
import io.busbar.scaffold.project.ProjectResource;
import io.busbar.scaffold.project.ProjectResource.Api;
import io.busbar.scaffold.project.ProjectRules;
import io.busbar.scaffold.project.Webhooks;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What {@code create api} is asked for.
 *
 * <p>Immutable.
 *
 * @param group without the domain
 * @param plural null for the regular one
 * @param namespaced whether its objects are in namespaces
 * @param resource whether its types are made
 * @param controller whether it gets a controller; null for yes, unless another version has one
 * @param force whether files that are there are written over
 */
public record ApiRequest(
        String group,
        String version,
        String kind,
        @Nullable String plural,
        boolean namespaced,
        boolean resource,
        @Nullable Boolean controller,
        boolean force) {

    /**
     * The version of a kind as PROJECT is to have it.
     *
     * @throws io.busbar.common.configuration.InvalidConfigurationException with all that is wrong
     */
    ProjectResource resourceIn(Project project, Invocation invocation) {
        List<ConfigurationProblem> problems = new ArrayList<>();
        NameRule.GROUP.problem(invocation.flag("group"), group).ifPresent(problems::add);
        if (group.equals(project.domain()) || group.endsWith("." + project.domain())) {
            problems.add(new ConfigurationProblem(
                    invocation.flag("group"),
                    group,
                    "one without the domain " + project.domain() + ", which is added"));
        }
        NameRule.VERSION.problem(invocation.flag("version"), version).ifPresent(problems::add);
        NameRule.KIND.problem(invocation.flag("kind"), kind).ifPresent(problems::add);
        if (kind.equals(project.bundleName())) {
            problems.add(new ConfigurationProblem(
                    invocation.flag("kind"), kind, "another name than that of the project's bundle"));
        }
        if (plural != null) {
            NameRule.PLURAL.problem(invocation.flag("plural"), plural).ifPresent(problems::add);
        }
        groups(project, invocation).ifPresent(problems::add);
        Scaffold.refuse(problems);
        Optional<ProjectResource> there = project.find(group, version, kind);
        return there.isPresent() ? again(there.get(), project, invocation) : added(project, invocation);
    }

    private Optional<ConfigurationProblem> groups(Project project, Invocation invocation) {
        String others = project.resources().stream()
                .map(ProjectResource::group)
                .filter(other -> !other.equals(group))
                .distinct()
                .collect(Collectors.joining(", "));
        return project.multigroup() || others.isEmpty()
                ? Optional.empty()
                : Optional.of(new ConfigurationProblem(
                        invocation.flag("group"),
                        group,
                        others + ", or any after: " + invocation.command("edit", "multigroup")));
    }

    /** One that PROJECT has. */
    private ProjectResource again(ProjectResource there, Project project, Invocation invocation) {
        List<ConfigurationProblem> problems = new ArrayList<>();
        if (resource && !force) {
            problems.add(new ConfigurationProblem(
                    invocation.flag("kind"),
                    there.toString(),
                    "one that PROJECT does not have; " + invocation.flag("resource=false") + " to add a controller; "
                            + invocation.flag("force") + " to write over its files"));
        }
        if (!resource && !Boolean.TRUE.equals(controller)) {
            problems.add(new ConfigurationProblem(
                    invocation.flag("controller"),
                    String.valueOf(controller),
                    "true, as nothing else would be made without types"));
        }
        if (!resource && there.controller() && !force) {
            problems.add(new ConfigurationProblem(
                    invocation.flag("controller"),
                    "true",
                    "false, as there is one; " + invocation.flag("force") + " to write over its files"));
        }
        Scaffold.refuse(problems);
        ProjectResource changed = Boolean.TRUE.equals(controller) ? there.withController() : there;
        check(changed, project, invocation);
        return changed;
    }

    private ProjectResource added(Project project, Invocation invocation) {
        if (!resource) {
            Scaffold.refuse(List.of(new ConfigurationProblem(
                    invocation.flag("resource"), "false", "true, as PROJECT has no " + kind + " " + version)));
        }
        List<ProjectResource> others = project.resources().stream()
                .filter(other -> other.kind().equals(kind) && other.group().equals(group))
                .toList();
        String regular = others.isEmpty()
                ? ProjectResource.regularPlural(kind)
                : others.get(0).plural();
        String named = Objects.requireNonNullElse(plural, regular);
        NameRule.PLURAL
                .problem(invocation.flag("plural"), named)
                .ifPresent(problem -> Scaffold.refuse(List.of(problem)));
        boolean controlled = others.stream().anyMatch(ProjectResource::controller);
        ProjectResource added = new ProjectResource(
                group,
                project.domain(),
                version,
                kind,
                named,
                kindPackage(project, others) + "." + version,
                namespaced ? Api.NAMESPACED : Api.CLUSTER_SCOPED,
                Objects.requireNonNullElse(controller, !controlled),
                Webhooks.none());
        check(added, project, invocation);
        return added;
    }

    private String kindPackage(Project project, List<ProjectResource> others) {
        if (!others.isEmpty()) {
            return others.get(0).kindPackage();
        }
        String within = project.multigroup()
                ? "." + ProjectResource.packagePart(group.isEmpty() ? project.domain() : group)
                : "";
        return project.repo() + within + "." + ProjectResource.packagePart(kind);
    }

    private void check(ProjectResource changed, Project project, Invocation invocation) {
        List<ConfigurationProblem> problems = new ArrayList<>();
        for (ProjectResource other : project.resources()) {
            if (!other.isSame(changed)) {
                ProjectRules.clash(invocation.flag(""), changed, other).ifPresent(problems::add);
            }
        }
        Scaffold.refuse(problems);
    }
}

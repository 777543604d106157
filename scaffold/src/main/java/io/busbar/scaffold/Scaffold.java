package io.busbar.scaffold;

import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.scaffold.Outcome.What;
import io.busbar.scaffold.files.Edition;
import io.busbar.scaffold.files.ScaffoldFile;
import io.busbar.scaffold.project.NameRule;
import io.busbar.scaffold.project.Project;
import io.busbar.scaffold.project.ProjectFile;
import io.busbar.scaffold.project.ProjectResource;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The commands that make the project of an operator, add to it, and keep it up to date.
 *
 * <p>Each method reads the folder, changes all that it changes or nothing, and completes; it blocks, talks to no
 * network, and asks nobody. One thread per folder.
 *
 * <p>All of them throw {@link InvalidConfigurationException} with all that is wrong in what was asked for and in what
 * is there, when anything is; nothing has changed then.
 */
public final class Scaffold {

    private final Path folder;
    private final Edition edition;
    private final Invocation invocation;

    /**
     * @param folder of the project; {@link #init} makes it
     * @param invocation how people are told of flags and commands
     */
    public Scaffold(Path folder, Edition edition, Invocation invocation) {
        this.folder = folder.toAbsolutePath().normalize();
        this.edition = edition;
        this.invocation = invocation;
    }

    /**
     * Makes a project without kinds.
     *
     * @param domain of its groups, such as {@code example.com}
     * @param name of the project; null for that of the folder, in lower case
     * @param repo its Java package, which is its Maven group too; null for one made of the domain and the name
     * @param force whether files that are there are written over
     */
    public Outcome init(String domain, @Nullable String name, @Nullable String repo, boolean force) throws IOException {
        String called = name != null ? name : folderName();
        List<ConfigurationProblem> problems = new ArrayList<>();
        NameRule.DOMAIN.problem(invocation.flag("domain"), domain).ifPresent(problems::add);
        NameRule.PROJECT.problem(invocation.flag("project-name"), called).ifPresent(problems::add);
        String javaPackage = repo != null ? repo : problems.isEmpty() ? javaPackage(domain, called) : "unknown";
        NameRule.REPO.problem(invocation.flag("repo"), javaPackage).ifPresent(problems::add);
        Workspace workspace = workspace();
        if (workspace.hasProject()) {
            problems.add(new ConfigurationProblem(
                    ProjectFile.NAME,
                    "one in " + folder,
                    "none; to a project that is there, this adds: " + createApi("GROUP", "v1", "KIND")));
        }
        refuse(problems);
        Project project = Project.of(domain, called, javaPackage, edition.version());
        return workspace
                .grow(project, force ? paths(project) : Set.of())
                .then(List.of(createApi("GROUP", "v1", "KIND")));
    }

    /** Adds a version of a kind, or a controller for one. */
    public Outcome createApi(ApiRequest request) throws IOException {
        Workspace workspace = workspace();
        Project before = current(workspace);
        ProjectResource resource = request.resourceIn(before, invocation);
        Project after = before.with(resource);
        Set<String> force = request.force() ? pathsOf(after, without(before, resource)) : Set.of();
        Outcome outcome = workspace.grow(after, force);
        String types = "src/main/java/" + resource.path().replace('.', '/') + "/" + resource.kind();
        List<String> next = new ArrayList<>();
        next.add("write what a " + resource.kind() + " asks for: " + types + "Spec.java");
        if (resource.controller()) {
            next.add("and what is done for it: src/main/java/"
                    + resource.kindPackage().replace('.', '/') + "/" + resource.kind() + "Reconciler.java");
        }
        next.add("mvn verify");
        next.add(createWebhook(resource, "defaulting", "programmatic-validation"));
        after.versionsOf(resource).stream()
                .filter(other -> !other.isSame(resource))
                .findFirst()
                .ifPresent(other -> next.add(createWebhook(
                        after.stored(resource),
                        "conversion",
                        "spoke=" + (after.stored(resource).isSame(other) ? resource : other).version())));
        return outcome.then(withUpdate(outcome, next));
    }

    /** Adds webhooks to a version of a kind. */
    public Outcome createWebhook(WebhookRequest request) throws IOException {
        Workspace workspace = workspace();
        Project before = current(workspace);
        ProjectResource resource = request.resourceIn(before, invocation);
        Project after = before.with(resource);
        Set<String> force = request.force() ? pathsOf(after, before.with(request.less(resource))) : Set.of();
        Outcome outcome = workspace.grow(after, force);
        List<String> next = new ArrayList<>();
        outcome.paths(What.MADE).stream()
                .filter(path -> path.startsWith("src/main/java/"))
                .forEach(path -> next.add("write its rules: " + path));
        next.add("mvn verify");
        next.add("mvn busbar:manifests");
        return outcome.then(withUpdate(outcome, next));
    }

    /**
     * Changes what holds for the whole project; null leaves a setting as it is.
     *
     * @param multigroup whether there may be kinds of several groups
     * @param chart whether the manifests have a Helm chart
     * @param bundle whether they have a bundle for the Operator Lifecycle Manager
     */
    public Outcome edit(@Nullable Boolean multigroup, @Nullable Boolean chart, @Nullable Boolean bundle)
            throws IOException {
        Workspace workspace = workspace();
        Project before = current(workspace);
        List<ConfigurationProblem> problems = new ArrayList<>();
        if (multigroup == null && chart == null && bundle == null) {
            problems.add(new ConfigurationProblem(
                    "edit",
                    "nothing to change",
                    String.join(
                            ", ",
                            invocation.flag("multigroup"),
                            invocation.flag("chart"),
                            invocation.flag("bundle") + " with true or false")));
        }
        Set<String> groups = before.resources().stream()
                .map(ProjectResource::qualifiedGroup)
                .collect(Collectors.toCollection(TreeSet::new));
        if (Boolean.FALSE.equals(multigroup) && groups.size() > 1) {
            problems.add(new ConfigurationProblem(
                    invocation.flag("multigroup"), "false", "true, as there are " + String.join(", ", groups)));
        }
        refuse(problems);
        Project after = before.withOptions(
                chosen(multigroup, before.multigroup()),
                chosen(chart, before.chart()),
                chosen(bundle, before.bundle()));
        Outcome outcome = workspace.grow(after, Set.of());
        return outcome.then(withUpdate(outcome, List.of("mvn busbar:manifests")));
    }

    /** Brings a project to this edition of the scaffold. */
    public Outcome update() throws IOException {
        Workspace workspace = workspace();
        Project project = workspace.project(initCommand());
        if (isNewer(project.cliVersion(), edition.version())) {
            throw new InvalidConfigurationException(List.of(new ConfigurationProblem(
                    ProjectFile.NAME + ": cliVersion",
                    project.cliVersion(),
                    edition.version() + " or older: this is the scaffold of " + edition.version())));
        }
        Outcome outcome = workspace.update(project);
        List<String> next = new ArrayList<>();
        outcome.paths(What.CONFLICT)
                .forEach(path -> next.add("settle what stands between <<<<<<< and >>>>>>>: " + path));
        if (!outcome.changes().isEmpty()) {
            next.add("mvn verify");
        }
        return outcome.then(next);
    }

    /** Whether one edition comes after another; not, where one of them is no number of a version. */
    private static boolean isNewer(String one, String other) {
        try {
            return Version.parse(one).compareTo(Version.parse(other)) > 0;
        } catch (IllegalArgumentException noVersion) {
            return false;
        }
    }

    /** The project, if it is of this edition. */
    private Project current(Workspace workspace) throws IOException {
        Project project = workspace.project(initCommand());
        if (!project.cliVersion().equals(edition.version())) {
            throw new InvalidConfigurationException(List.of(new ConfigurationProblem(
                    ProjectFile.NAME + ": cliVersion",
                    project.cliVersion(),
                    edition.version() + ", which this brings it to: " + invocation.command("update"))));
        }
        return project;
    }

    private List<String> withUpdate(Outcome outcome, List<String> next) {
        List<String> kept = outcome.paths(What.KEPT);
        if (kept.isEmpty()) {
            return next;
        }
        List<String> all = new ArrayList<>();
        all.add(invocation.command("update") + "    merges what this needs into " + String.join(", ", kept));
        all.addAll(next);
        return all;
    }

    private Workspace workspace() {
        return new Workspace(folder, edition);
    }

    private Set<String> paths(Project project) {
        return edition.files(project).stream().map(ScaffoldFile::path).collect(Collectors.toSet());
    }

    /** What one project has and another has not. */
    private Set<String> pathsOf(Project more, Project less) {
        Set<String> paths = paths(more);
        paths.removeAll(paths(less));
        return paths;
    }

    private static Project without(Project project, ProjectResource resource) {
        return new Project(
                project.domain(),
                project.name(),
                project.repo(),
                project.cliVersion(),
                project.multigroup(),
                project.chart(),
                project.bundle(),
                project.resources().stream()
                        .filter(one -> !one.isSame(resource))
                        .toList(),
                project.plugins());
    }

    private static boolean chosen(@Nullable Boolean choice, boolean before) {
        return choice == null ? before : choice;
    }

    private String initCommand() {
        return invocation.command("init", "domain=example.com");
    }

    private String createApi(String group, String version, String kind) {
        return invocation.command("create api", "group=" + group, "version=" + version, "kind=" + kind);
    }

    private String createWebhook(ProjectResource resource, String... flags) {
        List<String> all = new ArrayList<>(
                List.of("group=" + resource.group(), "version=" + resource.version(), "kind=" + resource.kind()));
        all.addAll(Arrays.asList(flags));
        return invocation.command("create webhook", all.toArray(String[]::new));
    }

    private String folderName() {
        return Optional.ofNullable(folder.getFileName())
                .map(Path::toString)
                .orElse("")
                .toLowerCase(Locale.ROOT);
    }

    /** {@code example.com} and {@code flower-shop} give {@code com.example.flowershop}. */
    private static String javaPackage(String domain, String name) {
        List<String> parts = Arrays.asList(domain.split("\\."));
        Collections.reverse(parts);
        return parts.stream().map(ProjectResource::packagePart).collect(Collectors.joining(".")) + "."
                + ProjectResource.packagePart(name);
    }

    static void refuse(List<ConfigurationProblem> problems) {
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
    }
}
